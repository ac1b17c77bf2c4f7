// exp, log, tanh and rsqrt on f64 without a device library, on the simulated
// device.
// REQUIRES: python-ctypes
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_functions --tolerance=1e-15 --expect='(np.exp(a0),np.log(a0*a0),np.tanh(a0),abs(a0)**0.5,a0/(1+np.exp(-a0)),a0/2*(1+np.tanh(np.sqrt(2/np.pi)*(a0+0.044715*a0**3))))'
// Up to 1e200 and down to 1e-200; logarithms of subnormal numbers.
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_range --scale=150 --tolerance=1e-15 --expect='a0'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_subnormal --scale=1e-310 --tolerance=1e-15 --expect='np.log(abs(a0))'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_small --scale=0.05 --tolerance=1e-15 --expect='np.tanh(a0)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_online --scale=30 --tolerance=1e-14 --expect='np.exp(a0-a0.max(1,keepdims=True)).sum(1)'

prism.program @functions extents [n = 500] (%x: !prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %1 = prism.square %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %2 = prism.log %1 : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %3 = prism.tanh %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %4 = prism.rsqrt %1 : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %5 = prism.rsqrt %4 : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %6 = prism.silu %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %7 = prism.gelu tanh %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  prism.yield %0, %2, %3, %5, %6, %7 : !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>
} candidates {
  prism.candidate "functions_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f64>):
    %r:6 = prism.kernel "k0"(%a = %x) parallel [x grid tile 128] : (!prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>) {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f64> -> !prism.tile<[n/x], f64>
      %0 = prism.exp %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %1 = prism.square %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %2 = prism.log %1 : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %3 = prism.tanh %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %4 = prism.rsqrt %1 : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %5 = prism.rsqrt %4 : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %6 = prism.silu %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %7 = prism.gelu tanh %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %o0 = prism.save %0 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      %o1 = prism.save %2 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      %o2 = prism.save %3 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      %o3 = prism.save %5 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      %o4 = prism.save %6 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      %o5 = prism.save %7 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o0, %o1, %o2, %o3, %o4, %o5 : !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>
    }
    prism.yield %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>, !prism.tensor<[n], f64>
  }
}
func.func @run_functions(%x: tensor<500xf64>) -> (tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>) {
  %r:6 = prism.invoke @functions(%x) : (tensor<500xf64>) -> (tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>, tensor<500xf64>
}

prism.program @range extents [n = 500] (%x: !prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %1 = prism.log %0 : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  prism.yield %1 : !prism.tensor<[n], f64>
} candidates {
  prism.candidate "range_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f64>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 128] : (!prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f64> -> !prism.tile<[n/x], f64>
      %0 = prism.exp %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %1 = prism.log %0 : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %o0 = prism.save %1 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o0 : !prism.tensor<[n], f64>
    }
    prism.yield %r : !prism.tensor<[n], f64>
  }
}
func.func @run_range(%x: tensor<500xf64>) -> (tensor<500xf64>) {
  %r = prism.invoke @range(%x) : (tensor<500xf64>) -> (tensor<500xf64>)
  return %r : tensor<500xf64>
}

prism.program @subnormal extents [n = 500] (%x: !prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
  %0 = prism.neg %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %1 = prism.max %0, %x : (!prism.tensor<[n], f64>, !prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  %2 = prism.log %1 : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  prism.yield %2 : !prism.tensor<[n], f64>
} candidates {
  prism.candidate "subnormal_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f64>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 128] : (!prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f64> -> !prism.tile<[n/x], f64>
      %0 = prism.neg %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %1 = prism.max %0, %t : (!prism.tile<[n/x], f64>, !prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %2 = prism.log %1 : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %o0 = prism.save %2 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o0 : !prism.tensor<[n], f64>
    }
    prism.yield %r : !prism.tensor<[n], f64>
  }
}
func.func @run_subnormal(%x: tensor<500xf64>) -> (tensor<500xf64>) {
  %r = prism.invoke @subnormal(%x) : (tensor<500xf64>) -> (tensor<500xf64>)
  return %r : tensor<500xf64>
}

prism.program @small extents [n = 500] (%x: !prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
  %0 = prism.tanh %x : (!prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  prism.yield %0 : !prism.tensor<[n], f64>
} candidates {
  prism.candidate "small_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f64>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 128] : (!prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f64> -> !prism.tile<[n/x], f64>
      %0 = prism.tanh %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %o0 = prism.save %0 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o0 : !prism.tensor<[n], f64>
    }
    prism.yield %r : !prism.tensor<[n], f64>
  }
}
func.func @run_small(%x: tensor<500xf64>) -> (tensor<500xf64>) {
  %r = prism.invoke @small(%x) : (tensor<500xf64>) -> (tensor<500xf64>)
  return %r : tensor<500xf64>
}

// Rescaled sums.
prism.program @online extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f64>) -> (!prism.tensor<[n], f64>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f64>) -> !prism.tensor<[n], f64>
  prism.yield %0 : !prism.tensor<[n], f64>
} candidates {
  prism.candidate "online_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f64>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4, i loop tile 16] : (!prism.tensor<[n, d], f64>) -> !prism.tensor<[n], f64> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f64> -> !prism.tile<[n/x, d/i], f64>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d/i], f64>) -> !prism.tile<[n/x], f64>
      %e = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f64>, !prism.tile<[n/x], f64>) -> !prism.tile<[n/x, d/i], f64>
      %f = prism.exp %e : (!prism.tile<[n/x, d/i], f64>) -> !prism.tile<[n/x, d/i], f64>
      %s = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f64>) -> !prism.tile<[n/x], f64>
      %c = prism.accumulate rescaled_sum %s shift %m over i : !prism.tile<[n/x], f64>, !prism.tile<[n/x], f64> -> !prism.tile<[n/x], f64>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o : !prism.tensor<[n], f64>
    }
    prism.yield %r : !prism.tensor<[n], f64>
  }
}
func.func @run_online(%x: tensor<13x61xf64>) -> tensor<13xf64> {
  %r = prism.invoke @online(%x) : (tensor<13x61xf64>) -> tensor<13xf64>
  return %r : tensor<13xf64>
}
