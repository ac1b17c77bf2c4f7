// Host code that goes wrong, or far: what it does is an error of the run.
module {
  func.func @factorial(%n: i64) -> i64 {
    %c1 = arith.constant 1 : i64
    %isLast = arith.cmpi sle, %n, %c1 : i64
    %r = scf.if %isLast -> i64 {
      scf.yield %c1 : i64
    } else {
      %m = arith.subi %n, %c1 : i64
      %f = func.call @factorial(%m) : (i64) -> i64
      %p = arith.muli %n, %f : i64
      scf.yield %p : i64
    }
    return %r : i64
  }

  // Too deep for any stack; sums of floats keep it from becoming a loop.
  func.func @deep(%n: i64, %x: f64) -> f64 {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %isLast = arith.cmpi sle, %n, %c0 : i64
    %r = scf.if %isLast -> f64 {
      scf.yield %x : f64
    } else {
      %m = arith.subi %n, %c1 : i64
      %y = arith.mulf %x, %x : f64
      %f = func.call @deep(%m, %y) : (i64, f64) -> f64
      %p = arith.addf %y, %f : f64
      scf.yield %p : f64
    }
    return %r : f64
  }

  func.func @divide(%a: i32, %b: i32) -> i32 {
    %r = arith.divsi %a, %b : i32
    return %r : i32
  }

  func.func @allocate(%n: index) -> tensor<?xf32> {
    %e = tensor.empty(%n) : tensor<?xf32>
    return %e : tensor<?xf32>
  }

  func.func @twoResults(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    return %x, %x : tensor<?xf32>, tensor<?xf32>
  }

  func.func @nothing() {
    return
  }
}
