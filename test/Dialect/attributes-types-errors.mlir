// RUN: prism-opt %s --split-input-file --verify-diagnostics

// Attributes and types that do not parse or verify.

// expected-error @+1 {{extents are not negative, got -1}}
func.func private @f() attributes {a = #prism.extent<-1>}

// -----

// expected-error @+1 {{expected an extent: a number, a symbol or a parenthesized expression}}
func.func private @f() attributes {a = #prism.extent<[]>}

// -----

// expected-error @+1 {{expected a mapping variable such as m0, numbered up to 16777216}}
func.func private @f() attributes {a = #prism.extent<d/x?y>}

// -----

// expected-error @+1 {{the extent is too large: expected at most 256 terms, factors in a term, and 64 bits in a coefficient}}
func.func private @f() attributes {a = #prism.extent<4611686018427387904*4>}

// -----

// expected-error @+1 {{extent 'd' is negative: -4}}
func.func private @f() attributes {a = #prism.symbol<d = -4>}

// -----

// expected-error @+1 {{tile extent of parallel dim 'x' must be at least 1, got 0}}
func.func private @f() attributes {a = #prism.parallel<x grid tile 0>}

// -----

// expected-error @+1 {{expected one of [grid, loop, thread] for the kind of parallel dim, got: block}}
func.func private @f() attributes {a = #prism.parallel<x block>}

// -----

// expected-error @+1 {{a map entry is 0 or 1, got 2}}
func.func private @f() attributes {a = #prism.equality<m0 = 2>}

// -----

// expected-error @+1 {{certificate version 7 is not known; this tool reads versions 1 to 2}}
func.func private @f() attributes {a = #prism.certificate<version = 7, steps = []>}

// -----

// expected-error @+1 {{a certificate of version 2 names its precision rule}}
func.func private @f() attributes {a = #prism.certificate<version = 2, steps = []>}

// -----

// expected-error @+1 {{a certificate of version 1 does not name its precision rule}}
func.func private @f() attributes {a = #prism.certificate<version = 1, precision = strict, casts_erased = 0, steps = []>}

// -----

// expected-error @+1 {{expected element type f16, bf16, f32, f64 or i1, got 'i32'}}
func.func private @f(!prism.tensor<[n], i32>)

// -----

// expected-error @+1 {{expected element type f16, bf16, f32, f64 or i1, got 'f8E4M3FN'}}
func.func private @f(!prism.tile<[n], f8E4M3FN>)

// -----

// expected-error @+1 {{expected element type f16, bf16, f32, f64 or i1, got 'complex<f32>'}}
func.func private @f(!prism.tile<[n], complex<f32>>)

// -----

// expected-error @+1 {{expected a mapping variable such as m0, numbered up to 16777216}}
func.func private @f() attributes {a = #prism.equality<m4294967295 = m4294967294>}

// -----

// expected-error @+1 {{expected a mapping variable such as m0, numbered up to 16777216}}
func.func private @f() attributes {a = #prism.map<[[x?m99999999999]]>}
