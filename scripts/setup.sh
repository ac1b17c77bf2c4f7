#!/bin/sh
# Prepares a Debian 12 machine and builds Prism into build/: installs the
# packages that are missing, configures and builds. Used by demo.sh and test.sh.
#
#   scripts/setup.sh [BUILD-TARGET...]     without targets: everything
#
# What is done already is not done again. PRISM_JOBS sets the number of parallel
# compilations; the default is one a core, at 2 GB of memory each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd "$(dirname "$0")/.."

PACKAGES="
  ca-certificates ccache clang-22 clang-format-22 cmake git graphviz
  libgtest-dev libmlir-22-dev libsqlite3-dev lld-22 llvm-22-dev
  llvm-22-tools mlir-22-tools ninja-build python3 python3-numpy python3-pip
  python3-psutil python3-pytest python3-setuptools python3-venv python3-wheel
"

fail() {
  echo "setup: $*" >&2
  exit 1
}

missing_packages() {
  for package in $PACKAGES; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) ||
      status=absent
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "must install packages, but is neither root nor has sudo: $missing"
  fi
}

install_packages() {
  command -v dpkg-query >/dev/null ||
    fail "this is no Debian system; install by hand what PACKAGES in $0 lists"
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  echo "setup: installing $missing"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
    fail "apt-get update failed"
  apt-cache show libmlir-22-dev >/dev/null 2>&1 ||
    fail "no package libmlir-22-dev: it comes from Debian's bookworm-security; \
add 'deb http://deb.debian.org/debian-security bookworm-security main' to apt's sources"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $missing ||
    fail "apt-get install failed"
}

jobs() {
  cores=$(nproc)
  by_memory=$(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) / 2000000))
  [ "$by_memory" -ge 1 ] || by_memory=1
  [ "$cores" -le "$by_memory" ] && echo "$cores" || echo "$by_memory"
}

configure() {
  # A build tree that was moved or copied with its checkout is of no use.
  if [ -f build/CMakeCache.txt ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/CMakeCache.txt; then
    rm -rf build
  fi
  [ -f build/build.ninja ] && return 0
  mkdir -p build
  cmake --preset default >build/configure.log 2>&1 || {
    cat build/configure.log >&2
    fail "configuring failed"
  }
}

install_packages
configure
cmake --build build -j "${PRISM_JOBS:-$(jobs)}" ${1+--target "$@"} ||
  fail "the build failed"
