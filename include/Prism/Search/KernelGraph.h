//===- KernelGraph.h - Which kernels compute a form -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form is computed by one kernel or by several. A kernel has a form of its
// own, whose loads are arguments of the program or what earlier kernels
// compute.
//
// Every loop form is a pair of kernels, too (SEARCH: a split reduction needs no
// search of its own): with its loop read as a grid dim, what stands before the
// accumulators is the first kernel, which writes partial results side by side;
// adding them up, and what follows, is the second.
//
// Worked example: div(acc(matmul(E, V)), acc(reduce_sum(E))), rescaled by the
// maxima m of the chunks, becomes
//
//   k0: matmul(E, V), reduce_sum(E), m        one of each per chunk
//   k1: w = exp(m - max m);  div(sum(w * matmul(E, V)), sum(w * reduce_sum(E)))
//
// A form may also be cut in two: what is computed first is written out whole,
// and the rest reads it. One matrix product of arguments may be left to a
// library (a predefined kernel).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_KERNELGRAPH_H
#define PRISM_SEARCH_KERNELGRAPH_H

#include "Prism/Search/LoopForms.h"

namespace prism {

/// How partial results that a kernel loads make the value that they are of.
struct Combination {
  AccumulatorKind kind;
  /// Of a rescaled sum: the load of the partials' maxima, and per data dim of
  /// these the data dim of the value that it lies along.
  unsigned shift = 0;
  llvm::SmallVector<unsigned, 2> shiftDims;
};

/// What one kernel computes.
struct KernelForm {
  Form form;
  LoopForm loop;
  /// Along a grid dim of its own the blocks compute partial results, which are
  /// written side by side.
  bool writesPartials = false;
  /// An op on whole tensors, left to a library or to a kernel of its own.
  bool isPredefined = false;
  /// For the loads of partial results, by node.
  llvm::SmallVector<std::optional<Combination>> combinations;

  explicit KernelForm(Form f)
      : form(std::move(f)), loop(form.nodes.size()),
        combinations(form.nodes.size()) {}
};

/// Kernels in order; each result of the program is computed by one of them.
using KernelGraph = llvm::SmallVector<KernelForm, 2>;

/// Kernels that compute parts of a form one after the other; each stage is one
/// kernel or a split pair.
using Stages = llvm::SmallVector<KernelGraph, 2>;
/// Whether the last stage could not come earlier in the order of what stages
/// compute. Of the orders of the same stages exactly one has this at each of
/// its prefixes (the least of the words that commuting letters make).
bool isInOrder(const Stages &stages);

/// The form as one kernel.
KernelGraph getSingleKernel(const Form &form, const LoopForm &loop);
/// The two kernels of a loop form, `withLoop` in the first, too.
KernelGraph getSplitKernels(const Form &form, const LoopForm &loop,
                            bool withLoop);
/// Two kernels, the second of which reads results of the first.
struct Cut {
  KernelForm first, second;
};
/// Every part of the form that can be computed before the rest, at most
/// `maxValues` values of it being read by the rest; not what a predefined
/// kernel computes.
std::vector<Cut> enumerateCuts(const Oracle &oracle, const Form &form,
                               unsigned maxValues = 2);
/// Those whose first part is one matrix product of arguments, as a predefined
/// kernel.
std::vector<Cut> enumeratePredefined(const Oracle &oracle, const Form &form);

} // namespace prism

#endif // PRISM_SEARCH_KERNELGRAPH_H
