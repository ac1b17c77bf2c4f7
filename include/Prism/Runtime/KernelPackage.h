//===- KernelPackage.h - plan.json and its launches -------------*- C++ -*-===//
//
// A kernel package is a folder with `plan.json` and the PTX modules it names:
// everything a runtime needs that has no compiler in it. Numbers in a plan may
// be expressions over the arguments' extents.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_KERNELPACKAGE_H
#define PRISM_RUNTIME_KERNELPACKAGE_H

#include "Prism/Runtime/Device.h"
#include "Prism/Runtime/Npy.h"
#include "Prism/Runtime/TensorMap.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace prism {

/// A number, or an expression over the extents of the arguments.
struct PlanExpr {
  enum class Kind { Constant, SizeOf, Mul, CeilDiv, Add, Min };

  Kind kind = Kind::Constant;
  int64_t value = 0;                    ///< Constant
  unsigned argument = 0, dimension = 0; ///< SizeOf
  std::vector<PlanExpr> operands;       ///< two, of the other kinds

  /// The value for these argument shapes. Fails on an overflow, a division by
  /// a number that is not positive, and an argument or dimension not there.
  llvm::Expected<int64_t>
  evaluate(llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes) const;
};

/// Type and shape of an argument or result. Of an argument, an extent without
/// value is dynamic.
struct PlanTensor {
  ElementType type = ElementType::F32;
  std::vector<std::optional<PlanExpr>> shape;
};

/// `{"tensor_map": {"base": {...}, "box": [...], ...}}`: how bulk tensor copies
/// see an array. Dimensions run as in all shapes of a plan, outermost first.
struct PlanTensorMap {
  PlanExpr offset; ///< bytes from the array's start, a multiple of 16
  std::optional<ElementType> type;            ///< else the array's
  std::optional<std::vector<PlanExpr>> shape; ///< else the array's
  /// Bytes, of every dimension but the innermost; else the array is dense.
  std::optional<std::vector<PlanExpr>> strides;
  std::vector<unsigned> box; ///< in elements
  unsigned swizzle = 0;      ///< bytes: 0, 32, 64 or 128
  bool fillWithNaN = false;  ///< `"fill": "nan"`; else "zero"

  /// The map of the array at `array`, which has type and shape as given where
  /// the plan has none of its own, for arguments of these `shapes`. Fails as
  /// PlanExpr::evaluate does, and on negative numbers; the rest is checked by
  /// Device::makeTensorMap.
  llvm::Expected<TensorMap>
  build(DevicePtr array, ElementType arrayType,
        llvm::ArrayRef<int64_t> arrayShape,
        llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes) const;
};

/// What a kernel's parameter is.
struct PlanParameter {
  enum class Kind { Argument, Result, Workspace, I32, I64, F32, Constant };

  Kind kind = Kind::I32;
  unsigned index = 0; ///< Argument, Result, Workspace
  PlanExpr value;     ///< I32, I64
  double number = 0;  ///< F32
  std::string file;   ///< Constant: a .npy file of the package
  /// The parameter is not the pointer to the array but a map of it.
  std::optional<PlanTensorMap> tensorMap;
};

/// `[a, "<=", b]`: the launch happens only if it holds.
struct PlanCondition {
  enum class Relation { LE, LT, GE, GT, EQ, NE };

  PlanExpr left, right;
  Relation relation = Relation::LE;
};

struct PlanLaunch {
  std::string module; ///< a .ptx file of the package
  std::string kernel;
  std::vector<PlanExpr> grid, block; ///< three each
  PlanExpr sharedBytes;
  std::vector<PlanParameter> parameters;
  std::optional<PlanCondition> when;
};

struct PlanFunction {
  std::string name;
  std::vector<PlanTensor> arguments, results;
  std::vector<PlanExpr> workspaces; ///< sizes in bytes
  std::vector<PlanLaunch> launches;
  /// What must hold of the arguments' extents (`requires`), or nothing runs.
  std::vector<PlanCondition> requirements;
};

/// A package whose plan has been read and whose references were checked.
struct KernelPackage {
  /// The plan version this reader knows.
  static constexpr int64_t version = 1;

  std::string directory;
  std::string target;
  std::vector<PlanFunction> functions;

  /// Reads DIRECTORY/plan.json.
  static llvm::Expected<KernelPackage> read(llvm::StringRef directory);

  /// Parses a plan's text; `directory` is where its files are.
  static llvm::Expected<KernelPackage> parse(llvm::StringRef json,
                                             llvm::StringRef directory);

  /// The function of this name; the error lists those there are.
  llvm::Expected<const PlanFunction *> find(llvm::StringRef name) const;
};

/// Runs functions of one package on one device, loading each module once.
class PackageRunner {
public:
  PackageRunner(const KernelPackage &package, Device &device)
      : package(package), device(device) {}

  /// Runs `name` on `inputs`, one for each argument. Types and shapes must be
  /// the plan's; an input for bf16 is U16. Returns one array a result.
  /// With `checkWritten` a result that no kernel wrote all of is an error.
  llvm::Expected<std::vector<HostArray>> run(llvm::StringRef name,
                                             llvm::ArrayRef<HostArray> inputs,
                                             bool checkWritten = true);

  /// The median microseconds of `repetitions` runs of the kernels of `name` on
  /// `inputs` (Device::time).
  llvm::Expected<double> time(llvm::StringRef name,
                              llvm::ArrayRef<HostArray> inputs,
                              unsigned repetitions);

private:
  struct Call;

  llvm::Error bindInputs(Call &call, llvm::ArrayRef<HostArray> inputs);
  llvm::Error allocateOutputs(Call &call);
  llvm::Expected<std::optional<LaunchRequest>>
  makeRequest(Call &call, const PlanLaunch &planned);
  llvm::Expected<std::vector<LaunchRequest>> makeRequests(Call &call);
  llvm::Expected<KernelArgument> makeArgument(Call &call,
                                              const PlanParameter &parameter);
  llvm::Expected<KernelArgument>
  makeArrayArgument(Call &call, const PlanParameter &parameter);
  llvm::Expected<DevicePtr> uploadConstant(Call &call, llvm::StringRef file);
  llvm::Expected<ModuleHandle> getModule(llvm::StringRef file);
  llvm::Expected<std::vector<HostArray>> fetchResults(Call &call,
                                                      bool checkWritten);
  llvm::Expected<std::vector<HostArray>>
  runCall(Call &call, llvm::ArrayRef<HostArray> inputs, bool checkWritten);
  llvm::Expected<double> timeCall(Call &call, llvm::ArrayRef<HostArray> inputs,
                                  unsigned repetitions);
  llvm::Error freeAll(Call &call);

  const KernelPackage &package;
  Device &device;
  llvm::StringMap<ModuleHandle> modules;
};

} // namespace prism

#endif // PRISM_RUNTIME_KERNELPACKAGE_H
