//===- PrismComputeOps.td - Compute ops, the same at every level -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMCOMPUTEOPS_TD
#define PRISM_DIALECT_PRISMCOMPUTEOPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Prism/Dialect/PrismAttributes.td"
include "Prism/Dialect/PrismInterfaces.td"
include "Prism/Dialect/PrismTypes.td"

class Prism_Op<string mnemonic, list<Trait> traits = []>
    : Op<Prism_Dialect, mnemonic, traits>;

/// f(a, b) = f(b, a), with the operands' maps exchanged as well. Not MLIR's
/// Commutative: folding and CSE would exchange the operands without their maps.
def Prism_Commutes : NativeOpTrait<"Commutes"> {
  let cppNamespace = "::prism";
}

/// A compute op: one result, an iteration structure. `structure` is the C++
/// expression that gives it, with the op at hand.
class Prism_ComputeOp<string mnemonic, code structure, list<Trait> traits = []>
    : Prism_Op<mnemonic, !listconcat([Pure, Prism_ComputeOpInterface], traits)> {
  let results = (outs Prism_AnyShaped:$result);
  code interfaceDeclaration = [{
    ::prism::IterationStructure getIterationStructure();
  }];
  code interfaceDefinition = [{
    ::prism::IterationStructure $cppClass::getIterationStructure() {
      return }] # structure # [{;
    }
  }];
  let extraClassDeclaration = interfaceDeclaration;
  let extraClassDefinition = interfaceDefinition;
}

/// A compute op that is `scalar`, a C++ expression over `builder`, `loc`, the
/// scalars `x` and `elementType`, at each point of its iteration space.
class Prism_ScalarOp<string mnemonic, code structure, code scalar,
                     list<Trait> traits = []>
    : Prism_ComputeOp<mnemonic, structure, traits> {
  code scalarDeclaration = interfaceDeclaration # [{
    ::mlir::Value buildScalar(::mlir::OpBuilder &builder, ::mlir::Location loc,
                              ::mlir::ValueRange x, ::mlir::Type elementType);
  }];
  code scalarDefinition = interfaceDefinition # [{
    ::mlir::Value $cppClass::buildScalar(::mlir::OpBuilder &builder,
                                         ::mlir::Location loc,
                                         ::mlir::ValueRange x,
                                         ::mlir::Type elementType) {
      return }] # scalar # [{;
    }
  }];
  let extraClassDeclaration = scalarDeclaration;
  let extraClassDefinition = scalarDefinition;
}

/// Elementwise on one operand: every dim is parallel. `linear`: whether
/// f(a + b) = f(a) + f(b).
class Prism_UnaryOp<string mnemonic, string formula, code scalar,
                    string linear = "false", list<Trait> traits = []>
    : Prism_ScalarOp<mnemonic,
        "::prism::detail::getUnaryStructure(*this, " # linear # ")", scalar,
        traits> {
  let summary = formula # ", elementwise";
  let arguments = (ins Prism_FloatShaped:$input);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let description = "Computes " # formula # [{ for each element `x`. Result: the
    extents and element type of the operand (`prism.cast`: any element type).
    Iteration: every dim parallel.

    Example:
    ```mlir
    %r = prism.}] # mnemonic # [{ %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
    ```
  }];
}

/// Elementwise on several operands, which may be permuted or broadcast by
/// indexing maps; the default is the identity for each. `linear` lists the
/// groups of jointly linear operands.
class Prism_MappedOp<string mnemonic, string formula, code scalar,
                     string linear, list<Trait> traits = []>
    : Prism_ScalarOp<mnemonic,
        "::prism::detail::getMappedStructure(*this, " # linear # ")", scalar,
        !listconcat([Prism_IndexingMapsOpInterface], traits)> {
  code mappedDeclaration = scalarDeclaration # [{
    ::llvm::SmallVector<::mlir::AffineMap> getMapsOrDefault() {
      return ::prism::detail::getElementwiseMaps(*this);
    }
    void setMaps(::llvm::ArrayRef<::mlir::AffineMap> maps) {
      ::prism::detail::setIndexingMaps(
          *this, maps, ::prism::detail::getDefaultElementwiseMaps(*this));
    }
  }];
  let extraClassDeclaration = mappedDeclaration;
  let summary = formula # ", elementwise";
  let description = "Computes " # formula # [{ for each element. `maps` gives the
    iteration dims that index each operand and the result; an operand that
    lacks one is broadcast along it. Extents that index the same iteration dim
    agree. Iteration: every dim parallel.

    Example:
    ```mlir
    %r = prism.}] # mnemonic # [{ ...
        maps [d0, d1], [d0] -> [d0, d1]
    ```
  }];
}

class Prism_BinaryOp<string mnemonic, string formula, code scalar,
                     string linear, list<Trait> traits = []>
    : Prism_MappedOp<mnemonic, formula, scalar, linear, traits> {
  let arguments = (ins Prism_FloatShaped:$lhs, Prism_FloatShaped:$rhs,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let assemblyFormat = [{
    operands (`maps` custom<IndexingMaps>($indexing_maps)^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Elementwise arithmetic
//===----------------------------------------------------------------------===//

def Prism_AddOp : Prism_BinaryOp<"add", "a + b",
    "::mlir::arith::AddFOp::create(builder, loc, x[0], x[1])", "{{0, 1}}",
    [Prism_Commutes]>;
def Prism_SubOp : Prism_BinaryOp<"sub", "a - b",
    "::mlir::arith::SubFOp::create(builder, loc, x[0], x[1])", "{{0, 1}}">;
def Prism_MulOp : Prism_BinaryOp<"mul", "a * b",
    "::mlir::arith::MulFOp::create(builder, loc, x[0], x[1])", "{{0}, {1}}",
    [Prism_Commutes]>;
def Prism_DivOp : Prism_BinaryOp<"div", "a / b",
    "::mlir::arith::DivFOp::create(builder, loc, x[0], x[1])", "{{0}}">;
def Prism_MaxOp : Prism_BinaryOp<"max", "max(a, b)",
    "::mlir::arith::MaximumFOp::create(builder, loc, x[0], x[1])", "{}",
    [Prism_Commutes]>;
def Prism_MinOp : Prism_BinaryOp<"min", "min(a, b)",
    "::mlir::arith::MinimumFOp::create(builder, loc, x[0], x[1])", "{}",
    [Prism_Commutes]>;
def Prism_PowOp : Prism_BinaryOp<"pow", "a ^ b (defined for a > 0, and for a <= 0 at integers b)",
    "::mlir::math::PowFOp::create(builder, loc, x[0], x[1])", "{}">;

def Prism_NegOp : Prism_UnaryOp<"neg", "-x",
    "::mlir::arith::NegFOp::create(builder, loc, x[0])", "true">;
def Prism_ExpOp : Prism_UnaryOp<"exp", "e^x",
    "::mlir::math::ExpOp::create(builder, loc, x[0])">;
def Prism_LogOp : Prism_UnaryOp<"log", "the natural logarithm of x (x > 0)",
    "::mlir::math::LogOp::create(builder, loc, x[0])">;
def Prism_SqrtOp : Prism_UnaryOp<"sqrt", "the square root of x (x >= 0)",
    "::mlir::math::SqrtOp::create(builder, loc, x[0])">;
def Prism_RsqrtOp : Prism_UnaryOp<"rsqrt", "1 / sqrt(x) (x > 0)",
    "::mlir::math::RsqrtOp::create(builder, loc, x[0])">;
def Prism_SquareOp : Prism_UnaryOp<"square", "x * x",
    "::mlir::arith::MulFOp::create(builder, loc, x[0], x[0])">;
def Prism_ReciprocalOp : Prism_UnaryOp<"reciprocal", "1 / x (x != 0)",
    "::prism::detail::buildReciprocal(builder, loc, x[0])">;
def Prism_TanhOp : Prism_UnaryOp<"tanh", "tanh(x)",
    "::mlir::math::TanhOp::create(builder, loc, x[0])">;
def Prism_ErfOp : Prism_UnaryOp<"erf", "erf(x)",
    "::mlir::math::ErfOp::create(builder, loc, x[0])">;
def Prism_SigmoidOp : Prism_UnaryOp<"sigmoid", "1 / (1 + e^-x)",
    "::prism::detail::buildSigmoid(builder, loc, x[0])">;
def Prism_SiluOp : Prism_UnaryOp<"silu", "x * sigmoid(x)",
    "::prism::detail::buildSilu(builder, loc, x[0])">;
def Prism_ReluOp : Prism_UnaryOp<"relu", "max(x, 0)",
    "::prism::detail::buildRelu(builder, loc, x[0])">;

def Prism_GeluOp : Prism_UnaryOp<"gelu", "gelu(x)",
    "::prism::detail::buildGelu(builder, loc, x[0], getKind())"> {
  let description = [{
    x/2 * (1 + erf(x / sqrt(2))), or with `tanh`
    x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))). Iteration: every dim
    parallel.

    Example:
    ```mlir
    %r = prism.gelu tanh %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    ```
  }];
  let arguments = (ins Prism_GeluKindAttr:$kind, Prism_FloatShaped:$input);
  let assemblyFormat =
      "custom<Enum>($kind) $input attr-dict `:` functional-type(operands, results)";
}

def Prism_CastOp : Prism_UnaryOp<"cast", "x rounded to the result's element type",
    "::prism::detail::buildCast(builder, loc, x[0], elementType)", "true"> {
  let extraClassDeclaration = scalarDeclaration # [{
    ::llvm::LogicalResult verifyElementTypes();
    /// Whether the result cannot represent every value of the operand.
    bool isNarrowing();
  }];
  let arguments = (ins Prism_AnyShaped:$input);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Choices and constants
//===----------------------------------------------------------------------===//

def Prism_CompareOp : Prism_MappedOp<"compare", "a < b, a <= b, ... as i1",
    "::prism::detail::buildCompare(builder, loc, getPredicate(), x[0], x[1])",
    "{}"> {
  let arguments = (ins Prism_ComparePredicateAttr:$predicate,
                       Prism_FloatShaped:$lhs, Prism_FloatShaped:$rhs,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let assemblyFormat = [{
    custom<Enum>($predicate) operands (`maps` custom<IndexingMaps>($indexing_maps)^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = mappedDeclaration # [{
    ::llvm::LogicalResult verifyElementTypes();
  }];
}

def Prism_SelectOp : Prism_MappedOp<"select", "a where the condition holds, else b",
    "::mlir::arith::SelectOp::create(builder, loc, x[0], x[1], x[2])",
    "{{1, 2}}"> {
  let arguments = (ins Prism_AnyShaped:$condition, Prism_AnyShaped:$true_value,
                       Prism_AnyShaped:$false_value,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let assemblyFormat = [{
    operands (`maps` custom<IndexingMaps>($indexing_maps)^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = mappedDeclaration # [{
    ::llvm::LogicalResult verifyElementTypes();
  }];
}

def Prism_ConstantOp : Prism_ScalarOp<"constant",
    "::prism::IterationStructure()",
    "::prism::detail::buildConstant(builder, loc, getValue(), elementType)"> {
  let summary = "a scalar, broadcast by its user's indexing maps";
  let description = [{
    The value is a float, a bool, or an extent of the program: `extent<d>` in
    the mean over `d` stays right when the program is used at another `d`.

    Example:
    ```mlir
    %c = prism.constant 1.0 : f32 -> !prism.tensor<[], f32>
    %d = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let assemblyFormat = "$value attr-dict `->` type($result)";
  let extraClassDeclaration = scalarDeclaration # [{
    ::llvm::LogicalResult verifyParameters();
    ::llvm::LogicalResult verifyElementTypes() { return ::mlir::success(); }
  }];
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

def Prism_MatmulOp : Prism_ScalarOp<"matmul",
    "::prism::detail::getContractionStructure(*this)",
    "::prism::detail::buildProduct(builder, loc, x[0], x[1], elementType)",
    [Prism_IndexingMapsOpInterface]> {
  let summary = "a sum of products";
  let description = [{
    Sums lhs * rhs over the iteration dims that the result lacks. By default
    lhs is [batch..., m, k], rhs [batch..., k, n], the result [batch..., m, n];
    transposed, grouped and multi-dim contractions are said by `maps`. Products
    and sums are formed in the result's element type, which is at least as wide
    as the operands'. Iteration: the result's dims parallel, the others sum.

    Example:
    ```mlir
    %s = prism.matmul %q, %k maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2]
       : (!prism.tensor<[b, n, e], f16>, !prism.tensor<[b, s, e], f16>) -> !prism.tensor<[b, n, s], f32>
    ```
  }];
  let arguments = (ins Prism_FloatShaped:$lhs, Prism_FloatShaped:$rhs,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let assemblyFormat = [{
    operands (`maps` custom<IndexingMaps>($indexing_maps)^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = scalarDeclaration # [{
    ::llvm::SmallVector<::mlir::AffineMap> getMapsOrDefault();
    void setMaps(::llvm::ArrayRef<::mlir::AffineMap> maps);
    ::llvm::LogicalResult verifyElementTypes() {
      return ::prism::detail::verifyAccumulatingElementTypes(*this);
    }
  }];
}

class Prism_ReduceOp<string mnemonic, string kind, string formula>
    : Prism_ScalarOp<mnemonic,
        "::prism::detail::getReductionStructure(*this, getDims(), "
        "::prism::IterationKind::" # kind # ")",
        "::prism::detail::buildCast(builder, loc, x[0], elementType)"> {
  let summary = formula;
  let description = formula # [{ over `dims` (ascending), which the result
    lacks. The result's element type is at least as wide as the operand's.
    Iteration: the kept dims parallel, the others reduced.

    Example:
    ```mlir
    %s = prism.}] # mnemonic # [{ %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
    ```
  }];
  let arguments = (ins Prism_FloatShaped:$input, DenseI64ArrayAttr:$dims);
  let assemblyFormat =
      "$input `dims` $dims attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = scalarDeclaration # [{
    ::llvm::LogicalResult verifyElementTypes() {
      return ::prism::detail::verifyAccumulatingElementTypes(*this);
    }
    ::llvm::LogicalResult verifyParameters();
  }];
}
def Prism_ReduceSumOp : Prism_ReduceOp<"reduce_sum", "Sum", "Sums">;
def Prism_ReduceMaxOp : Prism_ReduceOp<"reduce_max", "Max", "Takes the maximum">;

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

def Prism_TransposeOp : Prism_ScalarOp<"transpose",
    "::prism::detail::getTransposeStructure(*this)", "x[0]"> {
  let summary = "permutes the dims";
  let description = [{
    Dim i of the result is dim `permutation[i]` of the operand. Iteration: every
    dim parallel.

    Example:
    ```mlir
    %t = prism.transpose %x permutation [1, 0] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[d, n], f16>
    ```
  }];
  let arguments = (ins Prism_AnyShaped:$input, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = [{
    $input `permutation` $permutation attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = scalarDeclaration # [{
    ::llvm::LogicalResult verifyParameters();
  }];
  let hasFolder = 1;
}

def Prism_BroadcastOp : Prism_ScalarOp<"broadcast",
    "::prism::detail::getBroadcastStructure(*this)", "x[0]"> {
  let summary = "repeats along new dims";
  let description = [{
    Dim i of the operand is dim `dims[i]` of the result (ascending); the
    result's other dims are new. Iteration: every dim parallel.

    Example:
    ```mlir
    %b = prism.broadcast %x dims [0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
    ```
  }];
  let arguments = (ins Prism_AnyShaped:$input, DenseI64ArrayAttr:$dims);
  let assemblyFormat =
      "$input `dims` $dims attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = scalarDeclaration # [{
    ::llvm::LogicalResult verifyParameters();
  }];
}

def Prism_SliceOp : Prism_ComputeOp<"slice",
    "::prism::detail::getSliceStructure(*this, getDim())"> {
  let summary = "a contiguous range of one dim";
  let description = [{
    Elements `offset`, `offset` + 1, ... of dim `dim`, as many as the result
    has. Iteration: the sliced dim is whole (never split), the others parallel.

    Example:
    ```mlir
    %h = prism.slice %x dim 1 offset 64 : (!prism.tensor<[n, 128], f32>) -> !prism.tensor<[n, 64], f32>
    ```
  }];
  let arguments = (ins Prism_AnyShaped:$input, I64Attr:$dim, I64Attr:$offset);
  let assemblyFormat = [{
    $input `dim` $dim `offset` $offset attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = interfaceDeclaration # [{
    bool hasScalarForm() { return false; }
    ::llvm::LogicalResult verifyParameters();
  }];
}

def Prism_ConcatOp : Prism_ComputeOp<"concat",
    "::prism::detail::getConcatStructure(*this, getDim())"> {
  let summary = "puts tensors one after another along one dim";
  let description = [{
    The result's extent of dim `dim` is the sum of the operands'. Iteration:
    the concatenated dim is whole, the others parallel; jointly linear.

    Example:
    ```mlir
    %c = prism.concat %x, %y dim 0 : (!prism.tensor<[a, d], f32>, !prism.tensor<[b, d], f32>) -> !prism.tensor<[a + b, d], f32>
    ```
  }];
  let arguments = (ins Variadic<Prism_AnyShaped>:$inputs, I64Attr:$dim);
  let assemblyFormat =
      "$inputs `dim` $dim attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = interfaceDeclaration # [{
    bool hasScalarForm() { return false; }
    ::llvm::LogicalResult verifyParameters();
  }];
}

def Prism_ReshapeOp : Prism_ComputeOp<"reshape",
    "::prism::detail::getReshapeStructure(*this)"> {
  let summary = "splits or merges dims, row-major";
  let description = [{
    `operand_dims` and `result_dims` give, per data dim, the iteration dims it
    is made of, outermost first; flattened, both are d0, d1, ... in order. Each
    iteration dim stands alone on at least one side, where its extent is read.
    Iteration: a merged dim is parallel along its outermost factor only, the
    other factors are whole.

    Example:
    ```mlir
    %h = prism.reshape %x ([d0], [d1, d2]) -> ([d0], [d1], [d2])
       : (!prism.tensor<[n, h*e], f16>) -> !prism.tensor<[n, h, e], f16>
    ```
  }];
  let arguments = (ins Prism_AnyShaped:$input, ArrayAttr:$operand_dims,
                       ArrayAttr:$result_dims);
  let assemblyFormat = [{
    $input custom<FactorLists>($operand_dims) `->`
    custom<FactorLists>($result_dims) attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = interfaceDeclaration # [{
    bool hasScalarForm() { return false; }
    ::llvm::LogicalResult verifyParameters();
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

class Prism_NormalizingOp<string mnemonic>
    : Prism_ComputeOp<mnemonic,
        "::prism::detail::getNormalizingStructure(*this, getDim())",
        [DeclareOpInterfaceMethods<Prism_DecomposableOpInterface>]> {
  let extraClassDeclaration = interfaceDeclaration # [{
    bool hasScalarForm() { return false; }
    ::llvm::LogicalResult verifyParameters();
  }];
}

def Prism_SoftmaxOp : Prism_NormalizingOp<"softmax"> {
  let summary = "softmax along one dim";
  let description = [{
    exp(x - max x) / sum exp(x - max x) along `dim`. Iteration: `dim` is whole,
    the others parallel. Decomposes into reduce_max, sub, exp, reduce_sum, div.

    Example:
    ```mlir
    %p = prism.softmax %s dim 1 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
    ```
  }];
  let arguments = (ins Prism_FloatShaped:$input, I64Attr:$dim);
  let assemblyFormat =
      "$input `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Prism_RmsNormOp : Prism_NormalizingOp<"rms_norm"> {
  let summary = "division by the root mean square along one dim";
  let description = [{
    x / sqrt(mean(x^2) + epsilon) along `dim`. Iteration: `dim` is whole, the
    others parallel. Decomposes into square, reduce_sum, div, add, sqrt, div.

    Example:
    ```mlir
    %y = prism.rms_norm %x dim 1 epsilon 1.0e-05 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
    ```
  }];
  let arguments = (ins Prism_FloatShaped:$input, I64Attr:$dim, F64Attr:$epsilon);
  let assemblyFormat = [{
    $input `dim` $dim `epsilon` $epsilon attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // PRISM_DIALECT_PRISMCOMPUTEOPS_TD
