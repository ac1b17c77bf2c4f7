#!/bin/sh
# Interesting (exit 1) as long as the typed function is there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
grep -q '@typed' "$1" && exit 1
exit 0
