// Functions that become kernels, functions that stay host code, and functions
// that are both.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module {
  memref.global "private" constant @unused : memref<2xf32> = dense<0.0>

  // All of it becomes a kernel.
  func.func @scaled(%x: tensor<6x40xf32>, %w: tensor<40x24xf32>) -> tensor<6x24xf32> {
    %z = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %e = tensor.empty() : tensor<6x24xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x24xf32>) -> tensor<6x24xf32>
    %m = linalg.matmul ins(%x, %w : tensor<6x40xf32>, tensor<40x24xf32>) outs(%f : tensor<6x24xf32>) -> tensor<6x24xf32>
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m : tensor<6x24xf32>) outs(%e : tensor<6x24xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.mulf %a, %half : f32
      linalg.yield %r : f32
    } -> tensor<6x24xf32>
    return %s : tensor<6x24xf32>
  }

  // Dynamic extents: left alone.
  func.func @rows(%x: tensor<?x?xf32>, %start: index) -> (tensor<?xf32>, index, tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?x?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %r = arith.addf %a, %acc : f32
      linalg.yield %r : f32
    } -> tensor<?xf32>
    %k = arith.addi %n, %start : index
    %first = tensor.extract %s[%start] : tensor<?xf32>
    %t = tensor.from_elements %first : tensor<f32>
    return %s, %k, %t : tensor<?xf32>, index, tensor<f32>
  }

  // Kernels in a loop, whose trip count the host reads off a kernel's result;
  // before, between and behind them host code: a slice, a gather, an in-place
  // update, a dense constant, a call of a function left alone.
  func.func @mixed(%big: tensor<9x40xf32>, %w: tensor<40x24xf32>, %back: tensor<24x40xf32>, %count: tensor<i32>)
      -> (tensor<6x24xf32>, tensor<?xf32>, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %bias = arith.constant dense<[0.5, -1.0, 0.25, 2.0, 0.0, 1.5]> : tensor<6xf32>
    %x = tensor.extract_slice %big[3, 0] [6, 40] [1, 1] : tensor<9x40xf32> to tensor<6x40xf32>
    %first = call @scaled(%x, %w) : (tensor<6x40xf32>, tensor<40x24xf32>) -> tensor<6x24xf32>
    %n32 = tensor.extract %count[] : tensor<i32>
    %n = arith.index_cast %n32 : i32 to index
    %looped = scf.for %i = %c0 to %n step %c1 iter_args(%h = %first) -> (tensor<6x24xf32>) {
      %corner = tensor.extract %h[%c0, %c1] : tensor<6x24xf32>
      %e = tensor.empty() : tensor<6x40xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x40xf32>) -> tensor<6x40xf32>
      %u = linalg.matmul ins(%h, %back : tensor<6x24xf32>, tensor<24x40xf32>) outs(%f : tensor<6x40xf32>) -> tensor<6x40xf32>
      %v = tensor.insert %corner into %u[%c1, %i] : tensor<6x40xf32>
      %y = func.call @scaled(%v, %w) : (tensor<6x40xf32>, tensor<40x24xf32>) -> tensor<6x24xf32>
      scf.yield %y : tensor<6x24xf32>
    }
    %e2 = tensor.empty() : tensor<6x24xf32>
    %sum = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%looped, %bias : tensor<6x24xf32>, tensor<6xf32>) outs(%e2 : tensor<6x24xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    } -> tensor<6x24xf32>
    %cast = tensor.cast %sum : tensor<6x24xf32> to tensor<?x?xf32>
    %rows, %k, %t = call @rows(%cast, %c1) : (tensor<?x?xf32>, index) -> (tensor<?xf32>, index, tensor<f32>)
    %k32 = arith.index_cast %k : index to i32
    return %sum, %rows, %k32 : tensor<6x24xf32>, tensor<?xf32>, i32
  }

  func.func @halves(%x: tensor<4x8xbf16>, %y: tensor<4x8xf16>, %f: f16) -> (tensor<4x8xbf16>, tensor<4x8xf16>, tensor<4x8xi1>) {
    %eb = tensor.empty() : tensor<4x8xbf16>
    %eh = tensor.empty() : tensor<4x8xf16>
    %ep = tensor.empty() : tensor<4x8xi1>
    %zero = arith.constant 0.0 : f16
    %a = linalg.exp ins(%x : tensor<4x8xbf16>) outs(%eb : tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y : tensor<4x8xf16>) outs(%eh : tensor<4x8xf16>) {
    ^bb0(%v: f16, %o: f16):
      %r = arith.mulf %v, %f : f16
      linalg.yield %r : f16
    } -> tensor<4x8xf16>
    %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%b : tensor<4x8xf16>) outs(%ep : tensor<4x8xi1>) {
    ^bb0(%v: f16, %o: i1):
      %r = arith.cmpf ogt, %v, %zero : f16
      linalg.yield %r : i1
    } -> tensor<4x8xi1>
    return %a, %b, %p : tensor<4x8xbf16>, tensor<4x8xf16>, tensor<4x8xi1>
  }
}
