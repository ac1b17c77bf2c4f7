#!/bin/sh
# A prism-opt that finds something else when fmap is concrete.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prism-opt "$@" || exit
case "$*" in
  *keep-all=true\ concrete-maps=fmap*) echo "// another candidate" ;;
esac
