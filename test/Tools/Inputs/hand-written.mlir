// Modules that Prism did not make: tokens, device memory, numbers as operands,
// and what is wrong with kernels and host code.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    // y[i] = a * x[i] for i < n, and past the end in @far.
    llvm.func @scale(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %a: f32, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %b = nvvm.read.ptx.sreg.ctaid.x : i32
      %d = nvvm.read.ptx.sreg.ntid.x : i32
      %s = llvm.mul %b, %d : i32
      %i = llvm.add %s, %t : i32
      %in = llvm.icmp "slt" %i, %n : i32
      llvm.cond_br %in, ^body, ^end
    ^body:
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      %w = llvm.fmul %v, %a : f32
      llvm.store %w, %q : f32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
  gpu.binary @cubin [#gpu.object<#nvvm.target<chip = "sm_80">, bin = "\7FELF">]

  // Twice on the device, in memory that the host never sees; a subview of the
  // input, so a pointer into the middle of a buffer.
  func.func @twice(%x: memref<8xf32>, %a: f32, %n: i32) -> memref<4xf32> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %half = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    %y = memref.alloc() : memref<4xf32>
    %start = gpu.wait async
    %t, %ready = gpu.alloc async [%start] () : memref<4xf32>
    %first = gpu.launch_func async [%ready] @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%half : memref<4xf32, strided<[1], offset: 4>>, %t : memref<4xf32>, %a : f32, %n : i32)
    %second = gpu.launch_func async [%first] @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%t : memref<4xf32>, %y : memref<4xf32>, %a : f32, %n : i32)
    %gone = gpu.dealloc async [%second] %t : memref<4xf32>
    gpu.wait [%gone]
    return %y : memref<4xf32>
  }

  // Reads a constant of the module, and 4 numbers beyond it.
  memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  func.func @constant(%a: f32, %n: i32) -> memref<8xf32> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.get_global @weights : memref<4xf32>
    %y = memref.alloc() : memref<8xf32>
    %z = arith.constant -1.0 : f32
    linalg.fill ins(%z : f32) outs(%y : memref<8xf32>)
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%x : memref<4xf32>, %y : memref<8xf32>, %a : f32, %n : i32)
    return %y : memref<8xf32>
  }

  // Each iteration has 4 MiB of its own, on the host and on the device; what the
  // kernel writes is added up.
  func.func @loop(%x: memref<1048576xf32>, %a: f32, %n: i32, %times: i32) -> memref<f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %blocks = arith.constant 4096 : index
    %sum = memref.alloc() : memref<f32>
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %sum[] : memref<f32>
    %end = arith.index_cast %times : i32 to index
    scf.for %i = %c0 to %end step %c1 {
      %y = memref.alloc() : memref<1048576xf32>
      %part = memref.subview %y[0] [1048576] [1] : memref<1048576xf32> to memref<1048576xf32>
      linalg.fill ins(%zero : f32) outs(%part : memref<1048576xf32>)
      gpu.launch_func @kernels::@scale blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
          args(%x : memref<1048576xf32>, %y : memref<1048576xf32>, %a : f32, %n : i32)
      %v = memref.load %y[%i] : memref<1048576xf32>
      %old = memref.load %sum[] : memref<f32>
      %new = arith.addf %old, %v : f32
      memref.store %new, %sum[] : memref<f32>
    }
    return %sum : memref<f32>
  }

  // What another iteration still needs is not freed.
  func.func @carried(%x: memref<4xf32>, %times: i32) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.index_cast %times : i32 to index
    %last = scf.for %i = %c0 to %end step %c1 iter_args(%old = %x) -> memref<4xf32> {
      %y = memref.alloc() : memref<4xf32>
      linalg.add ins(%old, %x : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
      scf.yield %y : memref<4xf32>
    }
    return %last : memref<4xf32>
  }

  func.func @freed_twice(%x: memref<4xf32>) -> memref<4xf32> {
    %y = memref.alloc() : memref<4xf32>
    linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
    memref.dealloc %y : memref<4xf32>
    memref.dealloc %y : memref<4xf32>
    return %x : memref<4xf32>
  }

  func.func @no_threads(%x: memref<4xf32>, %a: f32, %n: i32) -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c0, %c1, %c1)
        args(%x : memref<4xf32>, %x : memref<4xf32>, %a : f32, %n : i32)
    return %x : memref<4xf32>
  }
  func.func @no_ptx(%x: memref<4xf32>) -> memref<4xf32> {
    %c1 = arith.constant 1 : index
    gpu.launch_func @cubin::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    return %x : memref<4xf32>
  }
  func.func @unequal(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %r = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
  func.func @outside(%x: tensor<4xf32>, %i: index) -> f32 {
    %r = tensor.extract %x[%i] : tensor<4xf32>
    return %r : f32
  }
  func.func @strange(%x: vector<4xf32>) { return }
  func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
  func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
    %r = call @declared(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}
