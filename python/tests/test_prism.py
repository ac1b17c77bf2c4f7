# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package: results, reports, kernels and errors."""

from pathlib import Path

import pytest

import prism

WORKLOADS = Path(__file__).resolve().parents[2] / "test" / "Inputs" / "workloads"
NOTHING = "module { func.func @f(%x: i32) -> i32 { return %x : i32 } }"


def test_version():
    assert prism.version() == prism.__version__ != ""


def test_rmsnorm_becomes_a_kernel():
    text = (WORKLOADS / "rmsnorm.mlir").read_text()
    result = prism.superoptimize(text, target="sm_80", emit="ptx")
    (program,) = result.report["programs"]
    assert program["target"] == "sm_80"
    assert program["chosen"]["id"] in [c["id"] for c in program["candidates"]]
    assert all(c["verdict"] == "Proved" for c in program["candidates"])
    (ptx,) = result.kernels.values()
    assert b".visible .entry" in ptx and b".extern .func" not in ptx
    assert "gpu.binary" in result.module


def test_nothing_to_do():
    result = prism.superoptimize(NOTHING)
    assert "return" in result.module and result.kernels == {}
    assert all(program["chosen"] is None for program in result.report["programs"])


def test_run_pipeline():
    text = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = math.exp %x : tensor<4xf32> return %0 : tensor<4xf32> }"
    assert "prism.exp" in prism.run_pipeline(text, "convert-linalg-to-prism").module


@pytest.mark.parametrize("text,options,message", [
    ("func.func @f( {", {}, "expected"),
    (NOTHING, dict(target="sm_20"), "'target' is 'sm_20'"),
    (NOTHING, dict(no_such_option=1), "no-such-option"),
])
def test_errors_carry_diagnostics(text, options, message):
    with pytest.raises(prism.Error) as error:
        prism.superoptimize(text, **options)
    assert message in error.value.diagnostics


def test_options_cannot_smuggle():
    with pytest.raises(ValueError):
        prism.superoptimize(NOTHING, report="a b")


def test_runs_are_independent():
    first = prism.superoptimize(NOTHING).module
    with pytest.raises(prism.Error):
        prism.superoptimize("nonsense")
    assert prism.superoptimize(NOTHING).module == first


# --- Kernel packages ------------------------------------------------------------
AXPY = Path(__file__).resolve().parents[2] / "test" / "Tools" / "Inputs" / "package"
numpy = pytest.importorskip("numpy")


def test_package_runs():
    x = numpy.arange(5, dtype=numpy.float32)
    with prism.Package(AXPY) as package:
        assert package.target == "sm_80"
        assert package.functions["axpy"] == (["f32", "f32"], ["f32"])
        (result,) = package.run("axpy", x, x + 1)
        assert result.dtype == numpy.float32 and (result == 3 * x + 1).all()
        with pytest.raises(prism.Error, match="takes 2 arguments, 1 inputs"):
            package.run("axpy", x)
        with pytest.raises(prism.Error, match="the input is 5xf64"):
            package.run("axpy", x, x.astype(float))
        with pytest.raises(prism.Error, match="out-of-bounds access") as error:
            package.run("too_far", x[:4], x[:4])
        assert "PTX line" in error.value.diagnostics
        with pytest.raises(prism.Error, match="no clock"):
            package.time("axpy", x, x)
    with pytest.raises(prism.Error, match="closed"):
        package.run("axpy", x, x)


def test_package_takes_any_layout():
    x = numpy.arange(10, dtype=numpy.float32)
    with prism.Package(AXPY) as package:
        for array in (x[::2], x[::2].astype(">f4"), list(map(numpy.float32, x[::2]))):
            (result,) = package.run("axpy", array, x[:5])
            assert (result == 2 * x[::2] + x[:5]).all()
        for array in (x[:5] * 1j, numpy.array([None] * 5), numpy.array(["a"] * 5),
                      numpy.zeros(5, "M8[s]"), numpy.zeros(5, "f4,f4"), numpy.zeros(5, "V4"),
                      numpy.zeros(5, numpy.longdouble)):
            with pytest.raises(prism.Error, match="no known element type"):
                package.run("axpy", array, x[:5])
        for array in (x[:5].reshape(5, 1), x[0], x[:0].reshape(0, 7), x[:5] > 1):
            with pytest.raises(prism.Error, match="argument 0 of 'axpy' is"):
                package.run("axpy", array, x[:5])


def test_package_files_that_lie(tmp_path):
    plan = (AXPY / "plan.json").read_text()
    (tmp_path / "kernel.ptx").write_text((AXPY / "kernel.ptx").read_text())
    x = numpy.arange(5, dtype=numpy.float32)
    for old, new, message in (
            ('"version": 1', '"version": 2', "knows version 1"),
            ('"kernel.ptx"', '"kernel.pty"', "kernel.pty"),
            ('"kernel": "axpy"', '"kernel": "axpz"', "no kernel 'axpz'"),
            ('"block": [32, 1, 1]', '"block": [0, 1, 1]', "a block of"),
            ('"shared_bytes": 0', '"shared_bytes": 999999', "shared memory"),
            ('{"result": 0}', '{"result": 1}', "names nothing"),
            ('"results": [{"type": "f32", "shape": [{"size_of": [0, 0]}]}]',
             '"results": [{"type": "f32", "shape": [{"mul": [1000000, 1000000]}]}]',
             "cannot allocate"),
            (plan, "[" * 100000, "deep"),
            (plan, plan[:-9], "plan.json")):
        assert old in plan
        (tmp_path / "plan.json").write_text(plan.replace(old, new, 1))
        with pytest.raises(prism.Error, match=message):
            with prism.Package(tmp_path) as package:
                package.run("axpy", x, x)


def test_package_of_the_pipeline(tmp_path):
    text = """func.func @f(%x: tensor<6x40xbf16>, %y: tensor<6x40xbf16>) -> tensor<6x40xbf16> {
      %e = tensor.empty() : tensor<6x40xbf16>
      %0 = linalg.add ins(%x, %y : tensor<6x40xbf16>, tensor<6x40xbf16>) outs(%e : tensor<6x40xbf16>) -> tensor<6x40xbf16>
      return %0 : tensor<6x40xbf16> }"""
    prism.superoptimize(text, emit="ptx", package=tmp_path)
    ones = numpy.full((6, 40), 0x3F80, numpy.uint16)  # the bits of 1
    for reversed in (False, True):
        (result,) = prism.Package(tmp_path, reversed=reversed).run("f", ones, ones)
        assert (result == 0x4000).all()  # of 2


def test_package_that_is_none(tmp_path):
    with pytest.raises(prism.Error, match="plan.json"):
        prism.Package(tmp_path)
    with pytest.raises(prism.Error, match="expected sim or cuda"):
        prism.Package(AXPY, device="npu")
