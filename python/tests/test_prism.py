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
