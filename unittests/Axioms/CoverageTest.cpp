//===- CoverageTest.cpp - What the records prove --------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The laws of tensor programs, by the names that they have in a table of about
// a hundred (P parallel dims, U and B elementwise, R reductions, M products, F
// field algebra, N norms, X exponentials; and movement, which the table lacks),
// each proved in an e-graph from the records: by those among others that
// lib/Axioms/LawRows.cpp says. And no record is idle: without it one of these
// laws has no proof. A chunk u that a law puts together (comb) is written as a
// chunk of something whole: whatever a kernel computes is.
//
//===----------------------------------------------------------------------===//

#include "Laws.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {

#define LAW(row, left, right) l.add(row, left, right)

void addParallelDims(Laws &l) {
  TermId t = l.arg(0, 2), u = l.part(l.arg(0, 2), 0);
  ParallelId q = l.q, p = l.p;
  LAW("P1", l.comb(l.part(t, 0), 0), t);
  LAW("P2", l.part(l.comb(u, 0), 0), u);
  LAW("P4", l.part(l.part(t, 1, q), 0), l.part(l.part(t, 0), 1, q));
  TermId both = l.part(l.part(t, 1, q), 0);
  LAW("P5", l.comb(l.comb(both, 0), 1, q), l.comb(l.comb(both, 1, q), 0));
  LAW("P6", l.part(l.comb(u, 0), 1, q), l.comb(l.part(u, 1, q), 0));
  LAW("P7", l.part(l.repl(t, p), 0, q), l.repl(l.part(t, 0, q), p));
  LAW("P8", l.comb(l.repl(u, q), 0), l.repl(l.comb(u, 0), q));
  LAW("P9", l.repl(l.repl(t, p), q), l.repl(l.repl(t, q), p));
  TermId s = l.sum(l.part(t, 1), 1);
  LAW("P10", l.red(l.repl(s, q)), l.repl(l.red(s), q));
  TermId v = l.sum(l.sum(l.part(l.part(l.arg(0, 3), 1, q), 2), 2), 1);
  LAW("P11", l.red(l.red(v), q), l.red(l.red(v, q)));
  LAW("P12", l.red(l.part(s, 0, q)), l.part(l.red(s), 0, q));
  TermId w = l.part(s, 0, q);
  LAW("P13", l.red(l.comb(w, 0, q)), l.comb(l.red(w), 0, q));
  // Of chunks that nothing is known of.
  TermId o = l.opaque(u, 0), o2 = l.opaque(l.opaque(both, 0), 1);
  LAW("P2", l.part(l.comb(o, 0), 0), o);
  LAW("P5", l.comb(l.comb(o2, 0), 1, q), l.comb(l.comb(o2, 1, q), 0));
  LAW("P6", l.part(l.comb(o, 0), 1, q), l.comb(l.part(o, 1, q), 0));
  LAW("P8", l.comb(l.repl(o, q), 0), l.repl(l.comb(o, 0), q));
  TermId e = l.f("exp", v);
  LAW("P11", l.red(l.red(e), q), l.red(l.red(e, q)));
  TermId y = l.opaque(w, 0);
  LAW("P13", l.red(l.comb(y, 0, q)), l.comb(l.red(y), 0, q));
  LAW("one block stores", l.sel(l.repl(t)), t);
  LAW("partials", l.sum(l.stack(s), 0), l.red(s));
  TermId m = l.max(l.part(t, 1), 1);
  LAW("partial maxima", l.max(l.stack(m), 0), l.redmax(m));
  LAW("op on partials", l.sum(l.f("exp", l.stack(s)), 0), l.red(l.f("exp", s)));
}

void addElementwise(Laws &l) {
  TermId t = l.arg(0, 2), r = l.arg(1, 2), v = l.arg(1, 1);
  TermId u = l.part(t, 0), s = l.sum(l.part(t, 1), 1);
  for (StringRef f : {"exp", "square", "sqrt", "silu", "relu", "sigmoid", "log",
                      "neg", "reciprocal", "tanh"}) {
    LAW("U1", l.f(f, l.part(t, 0)), l.part(l.f(f, t), 0));
    LAW("U2", l.f(f, l.comb(u, 0)), l.comb(l.f(f, u), 0));
    LAW("U3", l.f(f, l.repl(t)), l.repl(l.f(f, t)));
  }
  TermId k = l.constant(0.5);
  LAW("U4", l.f("mul", l.red(s), {0}, k, {}, 1),
      l.red(l.f("mul", s, {0}, l.repl(k), {}, 1)));
  for (StringRef f : {"add", "sub", "mul", "div", "pow", "max", "min"}) {
    LAW("B1", l.f(f, l.part(t, 0), l.part(r, 0)), l.part(l.f(f, t, r), 0));
    LAW("B2", l.columns(f, l.part(t, 0), l.repl(v)),
        l.part(l.columns(f, t, v), 0));
    LAW("B3", l.f(f, l.repl(v), {1}, l.part(t, 0), {0, 1}, 2),
        l.part(l.f(f, v, {1}, t, {0, 1}, 2), 0));
    LAW("B4", l.f(f, l.repl(t), l.repl(r)), l.repl(l.f(f, t, r)));
    LAW("B5", l.f(f, l.comb(u, 0), l.comb(l.part(r, 0), 0)),
        l.comb(l.f(f, u, l.part(r, 0)), 0));
    LAW("B6", l.columns(f, l.comb(u, 0), v),
        l.comb(l.columns(f, u, l.repl(v)), 0));
    LAW("B7", l.f(f, v, {1}, l.comb(u, 0), {0, 1}, 2),
        l.comb(l.f(f, l.repl(v), {1}, u, {0, 1}, 2), 0));
  }
  TermId s2 = l.sum(l.part(r, 1), 1);
  for (StringRef f : {"add", "sub"})
    LAW("B8", l.f(f, l.red(s), l.red(s2)), l.red(l.f(f, s, s2)));
  for (StringRef f : {"mul", "div"})
    LAW("B9", l.red(l.f(f, s, l.repl(v))), l.f(f, l.red(s), v));
}

void addReductions(Laws &l) {
  TermId t = l.arg(0, 2), r = l.arg(1, 2), v = l.arg(1, 1);
  TermId u = l.part(t, 0), c = l.part(t, 1);
  for (StringRef f : {"sum", "max"}) {
    LAW("R1 R16", l.reduce(f, l.part(t, 0), 1), l.part(l.reduce(f, t, 1), 0));
    LAW("R2 R16", l.reduce(f, l.comb(u, 0), 1), l.comb(l.reduce(f, u, 1), 0));
    LAW("R3 R16", l.reduce(f, l.repl(t), 1), l.repl(l.reduce(f, t, 1)));
    LAW("R9 R10", l.reduce(f, l.reduce(f, t, 1), 0),
        l.reduce(f, l.reduce(f, t, 0), 0));
  }
  TermId s = l.sum(l.part(l.arg(0, 3), 2), 2); // Pending over p.
  LAW("R4", l.sum(l.red(s), 1), l.red(l.sum(s, 1)));
  LAW("R5", l.red(l.sum(c, 1)), l.sum(t, 1));
  LAW("R6", l.sum(l.comb(c, 1), 1), l.red(l.sum(c, 1)));
  LAW("R8", l.red(l.sum(l.part(l.comb(c, 1), 1), 1)), l.red(l.sum(c, 1)));
  for (StringRef f : {"add", "sub"})
    LAW("R11", l.sum(l.f(f, t, r), 1), l.f(f, l.sum(t, 1), l.sum(r, 1)));
  for (StringRef f : {"mul", "div"})
    LAW("R12", l.sum(l.rows(f, t, v), 1), l.f(f, l.sum(t, 1), v));
  TermId d = l.constant(8);
  LAW("R13", l.f("div", l.red(l.sum(c, 1)), {0}, d, {}, 1),
      l.f("div", l.sum(t, 1), {0}, d, {}, 1));
  TermId deep = l.part(l.part(l.arg(0, 3), 1, l.q), 2);
  LAW("two dims", l.red(l.red(l.sum(l.sum(deep, 2), 1)), l.q),
      l.sum(l.sum(l.arg(0, 3), 2), 1));
  LAW("R14", l.red(l.red(l.sum(l.part(c, 1, l.inner), 1), l.inner)),
      l.sum(t, 1));
  TermId split = l.part(l.part(t, 0, l.q), 1);
  LAW("R7 R15", l.sum(l.comb(l.red(l.sum(split, 1)), 0, l.q), 0),
      l.sum(l.sum(t, 1), 0));
  LAW("R17", l.redmax(l.max(c, 1)), l.max(t, 1));
  LAW("R18", l.max(l.comb(c, 1), 1), l.redmax(l.max(c, 1)));
  LAW("R19", l.redmax(l.repl(t)), t);
  TermId m = l.max(c, 1);
  LAW("R20", l.redmax(l.part(m, 0, l.q)), l.part(l.redmax(m), 0, l.q));
  TermId w = l.opaque(l.part(m, 0, l.q), 0);
  LAW("R20 comb", l.redmax(l.comb(w, 0, l.q)), l.comb(l.redmax(w), 0, l.q));
  TermId v2 = l.max(l.max(l.part(l.part(l.arg(0, 3), 1, l.q), 2), 2), 1);
  TermId e = l.f("exp", v2); // S2max does not reach what is inside.
  LAW("R20 max", l.redmax(l.redmax(e), l.q), l.redmax(l.redmax(e, l.q)));
  LAW("R20 repl", l.redmax(l.repl(m, l.q)), l.repl(l.redmax(m), l.q));
  TermId g = l.arg(2, 1);
  LAW("max of shifted rows", l.max(l.rows("add", t, g), 1),
      l.f("add", l.max(t, 1), g));
  LAW("max of max", l.max(l.f("max", t, r), 1),
      l.f("max", l.max(t, 1), l.max(r, 1)));
}

void addProducts(Laws &l) {
  TermId a = l.arg(0, 2), b = l.arg(1, 2), c = l.arg(2, 2), v = l.arg(3, 1);
  TermId a3 = l.arg(0, 3), b3 = l.arg(1, 3);
  LAW("M1", l.matmul(l.part(a, 0), l.repl(b)), l.part(l.matmul(a, b), 0));
  LAW("M2", l.matmul(l.repl(a), l.part(b, 1)), l.part(l.matmul(a, b), 1));
  LAW("M3", l.batched(l.part(a3, 0), l.part(b3, 0)),
      l.part(l.batched(a3, b3), 0));
  LAW("M4", l.shared(l.part(a3, 0), l.repl(b)), l.part(l.shared(a3, b), 0));
  LAW("M5", l.matmul(l.repl(a), l.repl(b)), l.repl(l.matmul(a, b)));
  LAW("M6", l.red(l.matmul(l.part(a, 1), l.part(b, 0))), l.matmul(a, b));
  TermId row = l.part(a, 0), column = l.part(b, 1);
  LAW("M7", l.matmul(l.comb(row, 0), b), l.comb(l.matmul(row, l.repl(b)), 0));
  LAW("M8", l.matmul(a, l.comb(column, 1)),
      l.comb(l.matmul(l.repl(a), column), 1));
  LAW("M9", l.batched(l.comb(l.part(a3, 0), 0), l.comb(l.part(b3, 0), 0)),
      l.comb(l.batched(l.part(a3, 0), l.part(b3, 0)), 0));
  LAW("M10", l.matmul(l.comb(l.part(a, 1), 1), l.comb(l.part(b, 0), 0)),
      l.red(l.matmul(l.part(a, 1), l.part(b, 0))));
  TermId s = l.sum(l.part(a3, 2), 2);
  LAW("M11", l.matmul(l.red(s), b), l.red(l.matmul(s, l.repl(b))));
  LAW("M12", l.matmul(b, l.red(s)), l.red(l.matmul(l.repl(b), s)));
  LAW("M13", l.matmul(a, l.matmul(b, c)), l.matmul(l.matmul(a, b), c));
  for (StringRef f : {"add", "sub"}) {
    LAW("M14", l.matmul(l.f(f, a, b), c),
        l.f(f, l.matmul(a, c), l.matmul(b, c)));
    LAW("M15", l.matmul(a, l.f(f, b, c)),
        l.f(f, l.matmul(a, b), l.matmul(a, c)));
  }
  for (StringRef f : {"mul", "div"}) {
    LAW("M16", l.matmul(l.rows(f, a, v), b), l.rows(f, l.matmul(a, b), v));
    LAW("M17", l.matmul(a, l.columns(f, b, v)),
        l.columns(f, l.matmul(a, b), v));
    LAW("M16 M17 inside", l.matmul(l.columns(f, a, v), b),
        l.matmul(a, l.rows(f, b, v)));
  }
  LAW("M18", l.sum(l.matmul(a, b), 1), l.apply(a, l.sum(b, 1)));
  LAW("M19", l.matmul(l.concat(a, b, 1), l.concat(b, c, 0)),
      l.f("add", l.matmul(a, b), l.matmul(b, c)));
  TermId k = l.constant(3);
  LAW("M20", l.matmul(l.f("mul", a, {0, 1}, k, {}, 2), b),
      l.f("mul", l.matmul(a, b), {0, 1}, k, {}, 2));
  LAW("transposes", l.transpose(l.transpose(a3, {1, 2, 0}), {1, 2, 0}),
      l.transpose(a3, {2, 0, 1}));
  LAW("transpose of f", l.transpose(l.f("exp", a)), l.f("exp", l.transpose(a)));
  LAW("transpose", l.matmul(l.transpose(l.transpose(a)), b), l.matmul(a, b));
  LAW("concat", l.f("exp", l.concat(a, b, 0)),
      l.concat(l.f("exp", a), l.f("exp", b), 0));
}

/// Slices, tensors side by side, reshaped and repeated ones under the parallel
/// operators: along the dims that they do not touch, all is as for other ops.
void addMovement(Laws &l) {
  TermId a = l.arg(0, 2), b = l.arg(1, 2), t = l.arg(2, 3), v = l.arg(3, 1);
  TermId u = l.part(a, 0), w = l.part(b, 0);
  LAW("slice part", l.slice(l.part(a, 0), 1), l.part(l.slice(a, 1), 0));
  LAW("slice comb", l.slice(l.comb(u, 0), 1), l.comb(l.slice(u, 1), 0));
  LAW("slice repl", l.slice(l.repl(a), 1), l.repl(l.slice(a, 1)));
  LAW("concat part", l.concat(l.part(a, 0), l.part(b, 0), 1),
      l.part(l.concat(a, b, 1), 0));
  LAW("concat comb", l.concat(l.comb(u, 0), l.comb(w, 0), 1),
      l.comb(l.concat(u, w, 1), 0));
  LAW("concat repl", l.concat(l.repl(a), l.repl(b), 1),
      l.repl(l.concat(a, b, 1)));
  LAW("reshape part", l.flatten(l.part(t, 0)), l.part(l.flatten(t), 0));
  LAW("reshape comb", l.flatten(l.comb(l.part(t, 0), 0)),
      l.comb(l.flatten(l.part(t, 0)), 0));
  LAW("reshape repl", l.flatten(l.repl(t)), l.repl(l.flatten(t)));
  LAW("broadcast part", l.repeat(l.part(v, 0)), l.part(l.repeat(v), 1));
  LAW("broadcast comb", l.repeat(l.comb(l.part(v, 0), 0)),
      l.comb(l.repeat(l.part(v, 0)), 1));
  LAW("broadcast repl", l.repeat(l.repl(v)), l.repl(l.repeat(v)));
  LAW("transpose part", l.transpose(l.part(a, 0)), l.part(l.transpose(a), 1));
  LAW("transpose comb", l.transpose(l.comb(u, 0)), l.comb(l.transpose(u), 1));
  LAW("transpose repl", l.transpose(l.repl(a)), l.repl(l.transpose(a)));
  // They are linear: partial sums pass.
  TermId s = l.sum(l.part(t, 2), 2), r = l.sum(l.part(l.arg(1, 3), 2), 2);
  LAW("slice red", l.slice(l.red(s), 1), l.red(l.slice(s, 1)));
  LAW("concat red", l.concat(l.red(s), l.red(r), 1), l.red(l.concat(s, r, 1)));
  LAW("reshape red", l.flatten(l.red(s)), l.red(l.flatten(s)));
  LAW("transpose red", l.transpose(l.red(s)), l.red(l.transpose(s)));
}

/// max(a) over two dims, one of which is split, and both maxima used: that of
/// the rows and that of everything.
void addMaximaOverSeveralDims(Laws &l) {
  TermId a = l.arg(0, 2), t = l.arg(0, 3);
  auto max2 = [&](TermId x) { return l.max(l.max(x, 1), 0); };
  LAW("max split", l.redmax(max2(l.part(a, 0))), max2(a));
  LAW("max split, other dim", l.redmax(max2(l.part(a, 1))), max2(a));
  TermId both = l.part(l.part(a, 0), 1, l.q);
  LAW("max split twice", l.redmax(l.redmax(max2(both), l.q)), max2(a));
  LAW("max split twice, other order", l.redmax(l.redmax(max2(both)), l.q),
      max2(a));
  LAW("max of three", l.max(l.max(l.max(t, 2), 1), 0),
      l.max(l.max(l.max(t, 0), 0), 0));
}

void addField(Laws &l) {
  TermId a = l.arg(0, 1), b = l.arg(1, 1), c = l.arg(2, 1);
  TermId x = l.positive(1, 1), y = l.positive(2, 1);
  for (StringRef f : {"add", "mul", "max", "min"}) {
    LAW("F1", l.f(f, a, b), l.f(f, b, a));
    LAW("F2", l.f(f, l.f(f, a, b), c), l.f(f, a, l.f(f, b, c)));
  }
  for (StringRef f : {"add", "sub"}) {
    LAW("F3", l.f("mul", l.f(f, a, b), c),
        l.f(f, l.f("mul", a, c), l.f("mul", b, c)));
    LAW("F4", l.f("div", l.f(f, a, b), c),
        l.f(f, l.f("div", a, c), l.f("div", b, c)));
  }
  LAW("F5", l.f("mul", a, l.f("div", b, c)), l.f("div", l.f("mul", a, b), c));
  LAW("F6", l.f("div", l.f("div", a, b), c), l.f("div", a, l.f("mul", b, c)));
  LAW("F7", l.f("div", a, l.f("div", b, x)), l.f("div", l.f("mul", a, x), b));
  LAW("F8", l.f("mul", l.f("div", a, c), l.f("div", b, c)),
      l.f("div", l.f("mul", a, b), l.f("mul", c, c)));
  LAW("F9", l.f("div", l.f("mul", a, x), l.f("mul", y, x)), l.f("div", a, y));
  LAW("F10", l.f("square", a), l.f("mul", a, a));
  LAW("F11", l.f("square", l.f("sqrt", x)), x);
  for (StringRef f : {"mul", "div"})
    LAW("F12", l.f("sqrt", l.f(f, x, y)),
        l.f(f, l.f("sqrt", x), l.f("sqrt", y)));
  LAW("F13", l.f("pow", l.f("mul", x, y), c),
      l.f("mul", l.f("pow", x, c), l.f("pow", y, c)));
  LAW("F13 sum", l.f("pow", x, l.f("add", b, c)),
      l.f("mul", l.f("pow", x, b), l.f("pow", x, c)));
  LAW("F14", l.f("silu", a), l.f("mul", a, l.f("sigmoid", a)));

  TermId one = l.constant(1);
  TermId root = l.f("sqrt", l.f("div", x, y));
  LAW("1/sqrt(a/b)", l.f("reciprocal", root), l.f("sqrt", l.f("div", y, x)));
  LAW("1/sqrt(a/b), divided", l.f("div", one, {}, root, {0}, 1),
      l.f("sqrt", l.f("div", y, x)));
  LAW("rsqrt(a/b)", l.f("rsqrt", l.f("div", x, y)),
      l.f("sqrt", l.f("div", y, x)));
  LAW("square(a-b)", l.f("square", l.f("sub", a, b)),
      l.f("square", l.f("sub", b, a)));
  LAW("a-(b-a)", l.f("sub", a, l.f("sub", b, a)),
      l.f("sub", l.f("add", a, a), b));
  LAW("a-(b-c)", l.f("add", a, l.f("neg", l.f("sub", b, c))),
      l.f("sub", l.f("add", a, c), b));
  LAW("log", l.f("log", l.f("mul", x, y)),
      l.f("add", l.f("log", x), l.f("log", y)));
  LAW("exp(log)", l.f("exp", l.f("log", x)), x);
  LAW("relu", l.f("relu", a), l.f("max", a, {0}, l.constant(0), {}, 1));
  LAW("max(a, a)", l.f("max", a, a), a);
  LAW("F5 outer", l.f("div", l.f("mul", a, {0}, b, {1}, 2), l.arg(0, 2)),
      l.f("mul", a, {0}, l.f("div", b, {1}, l.arg(0, 2), {0, 1}, 2), {0, 1},
          2));
  // Positive, and no exponential.
  TermId s = l.f("sigmoid", b), r = l.f("sigmoid", c);
  LAW("log of a product", l.f("log", l.f("mul", s, r)),
      l.f("add", l.f("log", s), l.f("log", r)));
  LAW("exp(log) of s", l.f("exp", l.f("log", s)), s);
  LAW("1/sqrt", l.f("reciprocal", l.f("sqrt", c)),
      l.f("sqrt", l.f("reciprocal", c)));
  LAW("X4 of a row",
      l.f("div", l.f("div", a, {0}, s, {1}, 2),
          l.columns("div", l.arg(0, 2), s)),
      l.f("div", a, {0}, l.arg(0, 2), {0, 1}, 2));
  LAW("(a+c)-c", l.f("sub", l.f("add", a, c), c), a);
  LAW("(a+b)-c", l.f("sub", l.f("add", a, b), c),
      l.f("add", a, l.f("sub", b, c)));
  LAW("a*(1/b)", l.f("mul", a, l.f("reciprocal", b)), l.f("div", a, b));
  LAW("a-b", l.f("sub", a, b), l.f("add", a, l.f("neg", b)));
  LAW("sqrt(square)", l.f("sqrt", l.f("square", x)), x);
  LAW("-(-a)", l.f("neg", l.f("neg", a)), a);
  LAW("log(exp)", l.f("log", l.f("exp", a)), a);
  LAW("a/sqrt(b/c)", l.f("div", a, root),
      l.f("mul", a, l.f("sqrt", l.f("div", y, x))));
  LAW("sigmoid", l.f("sigmoid", a),
      l.f("reciprocal",
          l.f("add", l.f("exp", l.f("neg", a)), {0}, one, {}, 1)));
  TermId half = l.constant(0.5);
  LAW("gelu", l.gelu(a),
      l.f("mul", l.f("mul", a, {0}, half, {}, 1),
          l.f("add", l.f("erf", l.f("mul", a, {0}, l.f("sqrt", half), {}, 1)),
              {0}, one, {}, 1)));
  LAW("select", l.select(b, a, a), a);
}

void addNormsAndExponentials(Laws &l) {
  TermId t = l.arg(0, 2), v = l.arg(1, 1), b = l.arg(2, 2);
  TermId d = l.constant(8), chunk = l.part(t, 1);
  auto rms = [&](TermId x, TermId count) {
    return l.f("sqrt",
               l.f("div", l.sum(l.f("square", x), 1), {0}, count, {}, 1));
  };
  LAW("N1", rms(t, d),
      l.f("sqrt", l.f("div", l.sum(l.f("mul", t, t), 1), {0}, d, {}, 1)));
  LAW("N3", rms(l.part(t, 0), l.repl(d)), l.part(rms(t, d), 0));
  LAW("N4",
      l.f("sqrt",
          l.f("div", l.red(l.sum(l.f("square", chunk), 1)), {0}, d, {}, 1)),
      rms(t, d));
  TermId a = l.arg(0, 1);
  LAW("X1", l.f("exp", l.f("add", a, v)),
      l.f("mul", l.f("exp", a), l.f("exp", v)));
  LAW("X1 -", l.f("exp", l.f("sub", a, v)),
      l.f("div", l.f("exp", a), l.f("exp", v)));
  TermId shifted = l.f("exp", l.rows("sub", t, v)), e = l.f("exp", t),
         ev = l.f("exp", v);
  LAW("X2", l.sum(shifted, 1), l.f("div", l.sum(e, 1), ev));
  LAW("X3", l.matmul(shifted, b), l.rows("div", l.matmul(e, b), ev));
  LAW("X4", l.f("div", l.f("div", a, ev), l.f("div", l.f("exp", a), ev)),
      l.f("div", a, l.f("exp", a)));
  LAW("X5 any shift", l.rows("div", shifted, l.sum(shifted, 1)),
      l.rows("div", e, l.sum(e, 1)));
  // Rescaled sums of chunks, each with its own maximum.
  TermId m = l.max(chunk, 1), whole = l.repl(l.redmax(m));
  TermId part = l.sum(l.f("exp", l.rows("sub", chunk, m)), 1);
  TermId rescaled = l.red(l.rescale(part, m, whole));
  TermId softmaxSum = l.sum(l.f("exp", l.rows("sub", t, l.max(t, 1))), 1);
  LAW("sum over chunks", rescaled, softmaxSum);
  LAW("X6 weights", l.red(l.f("mul", part, l.f("exp", l.f("sub", m, whole)))),
      rescaled);
  TermId em = l.f("exp", m), eWhole = l.f("exp", l.redmax(m));
  LAW("X6", rescaled, l.f("div", l.red(l.f("mul", part, em)), eWhole));
  TermId h = l.sum(l.f("square", chunk), 1);
  LAW("X6 of any sum", l.red(l.f("mul", h, l.f("exp", l.f("sub", m, whole)))),
      l.red(l.rescale(h, m, whole)));
  // A loop over each chunk, whose sum and maximum the chunk then has.
  TermId tile = l.part(chunk, 1, l.inner), tileMax = l.max(tile, 1);
  TermId chunkMax = l.redmax(tileMax, l.inner);
  auto rescaledTwice = [&](TermId t, unsigned rank) {
    auto again = [&](TermId t, TermId m, ParallelId id) {
      return l.red(l.rescale(t, m, l.repl(l.redmax(m, id), id), rank), id);
    };
    return again(again(t, tileMax, l.inner), chunkMax, l.p);
  };
  TermId tileExp = l.f("exp", l.rows("sub", tile, tileMax));
  LAW("X9", rescaledTwice(l.sum(tileExp, 1), 1), softmaxSum);
  TermId values = l.part(l.part(b, 0), 0, l.inner);
  LAW("X*",
      l.rows("div", rescaledTwice(l.matmul(tileExp, values), 2),
             rescaledTwice(l.sum(tileExp, 1), 1)),
      l.rows("div", l.matmul(e, b), l.sum(e, 1)));
}

using Group = void (*)(Laws &);
constexpr Group groups[] = {addParallelDims, addElementwise,
                            addReductions,   addProducts,
                            addMovement,     addMaximaOverSeveralDims,
                            addField,        addNormsAndExponentials};

/// Where a record is used: a law of a group, both by number.
struct Use {
  size_t group, law;
};

class Coverage : public ::testing::Test {
protected:
  /// Proves all laws, once.
  static void SetUpTestSuite() {
    for (auto [number, group] : llvm::enumerate(groups)) {
      Laws laws;
      group(laws);
      for (auto [at, law] : llvm::enumerate(laws.list)) {
        Laws::Proof proof = laws.prove(law.left, law.right);
        if (!proof.holds)
          failures.push_back(law.row + ": " + proof.why);
        SmallVector<StringRef> rows;
        llvm::SplitString(law.row, rows);
        for (StringRef row : rows)
          recordsOf[row.str()].insert(proof.records.begin(),
                                      proof.records.end());
        for (const std::string &record : proof.records)
          usesOf[record].push_back({number, at});
      }
    }
  }

  static std::vector<std::string> failures;
  static std::map<std::string, std::set<std::string>> recordsOf;
  static std::map<std::string, std::vector<Use>> usesOf;
};

std::vector<std::string> Coverage::failures;
std::map<std::string, std::set<std::string>> Coverage::recordsOf;
std::map<std::string, std::vector<Use>> Coverage::usesOf;

TEST_F(Coverage, AllLawsAreProved) {
  for (const std::string &failure : failures)
    ADD_FAILURE() << failure;
}

/// Every row follows from the records that it names, or says why it need not.
TEST_F(Coverage, EveryRowIsCovered) {
  std::set<StringRef> known, ids;
  for (const AxiomRecord *record : getAxiomRecords())
    known.insert(record->id);
  for (const LawRow &row : getLawRows()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id.str() << " is there twice";
    if (row.by.empty()) {
      EXPECT_FALSE(row.note.empty()) << row.id.str() << " says no reason";
      EXPECT_FALSE(recordsOf.count(row.id.str()))
          << row.id.str() << " is proved, and names no record";
      continue;
    }
    auto proof = recordsOf.find(row.id.str());
    if (proof == recordsOf.end()) {
      ADD_FAILURE() << "no law of this file is " << row.id.str();
      continue;
    }
    SmallVector<StringRef> by;
    llvm::SplitString(row.by, by);
    for (StringRef record : by) {
      EXPECT_TRUE(known.count(record)) << record.str() << " is no record";
      EXPECT_TRUE(proof->second.count(record.str()))
          << row.id.str() << " is proved without " << record.str() << ", by "
          << llvm::join(proof->second, " ");
    }
  }
  // Letters and numbers without gaps: 98 laws, and one of them all together.
  std::map<char, unsigned> numbers = {{'P', 17}, {'U', 4},  {'B', 9},
                                      {'R', 20}, {'M', 20}, {'F', 14},
                                      {'N', 4},  {'X', 10}};
  for (auto [letter, count] : numbers)
    for (unsigned number = 1; number <= count; ++number)
      EXPECT_TRUE(ids.count(std::string(1, letter) + std::to_string(number)))
          << letter << number;
  EXPECT_EQ(ids.size(), 99u);
}

/// Records that the others make superfluous, and why they are there.
const std::map<std::string, std::string> spare = {
    {"A5", "G1 and F2 say it in more steps"},
    {"A7", "G1 and G2 say it in more steps"},
    {"X4", "F7, L1 and F9 say it in more steps"}};

/// A record that is taken away is missed.
TEST_F(Coverage, EveryRecordIsNeeded) {
  for (const AxiomRecord *record : getAxiomRecords()) {
    std::string id = record->id.str();
    bool isMissed = false;
    for (auto [group, law] : usesOf[id]) {
      Laws laws;
      groups[group](laws);
      const Laws::Law &it = laws.list[law];
      auto isNeededBy = [&](AxiomReach reach) {
        return laws.prove(it.left, it.right, "", reach).holds &&
               !laws.prove(it.left, it.right, id, reach).holds;
      };
      if (isNeededBy(AxiomReach::Lean) || isNeededBy(AxiomReach::Full)) {
        isMissed = true;
        break;
      }
    }
    EXPECT_NE(isMissed, spare.count(id) != 0)
        << id << " is used by " << usesOf[id].size() << " laws";
  }
}

/// What must not follow.
TEST_F(Coverage, FalseLawsAreNotProved) {
  Laws l;
  TermId a = l.arg(0, 2), b = l.arg(1, 2), v = l.arg(1, 1), w = l.arg(2, 1);
  TermId chunk = l.part(a, 1);
#define NOT(left, right) EXPECT_FALSE(l.prove(left, right).holds)
  NOT(l.red(l.repl(a)), a);
  NOT(l.f("exp", l.red(l.sum(chunk, 1))), l.red(l.f("exp", l.sum(chunk, 1))));
  NOT(l.matmul(l.columns("div", a, v), b), l.columns("div", l.matmul(a, b), v));
  NOT(l.matmul(l.f("div", a, b), b), l.f("div", l.matmul(a, b), b));
  NOT(l.matmul(a, b), l.matmul(b, a));
  NOT(l.f("div", v, l.f("div", v, w)), l.f("div", l.f("mul", v, w), v));
  NOT(l.f("sqrt", l.f("square", v)), v);
  NOT(l.f("sqrt", l.f("div", v, w)),
      l.f("div", l.f("sqrt", v), l.f("sqrt", w)));
  NOT(l.max(l.columns("add", a, v), 1), l.f("add", l.max(a, 1), v));
  NOT(l.red(l.sum(l.f("exp", l.rows("sub", chunk, l.max(chunk, 1))), 1)),
      l.sum(l.f("exp", l.rows("sub", a, l.max(a, 1))), 1));
}

} // namespace
