# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a report has every key, filled or null, and that it adds up."""

import json
import sys

KEYS = {
    "": "name target complete from_cache precision casts_erased bounds search instantiation lowering gate "
        "candidates chosen left_alone",
    "bounds": "kernels block_ops grid_dims accumulators terms",
    "search": "seconds graphs_generated pruned_by_shape pruned_by_expression pruned_by_resources "
              "range_unsafe graphs mappings proved disproved unknown unique_graphs "
              "unique_normalized enodes peak_mib",
    "instantiation": "seconds points measured_by",
    "lowering": "seconds",
    "gate": "seconds runs blocks refused not_run limits worst_error program_error",
    "chosen": "id cost_us measured_us roofline_us unfused_us kernels",
}
CANDIDATE = "id kernels graph maps verdict cost_us measured_us"
KERNEL = ("name parameters grid block shared_bytes registers spill_bytes tensor_cores occupancy "
          "block_bytes matrix_instructions stages")


def expect(condition, message):
    if not condition:
        sys.exit("report: " + message)


def expect_keys(value, keys, where):
    expect(set(value) == set(keys.split()),
           "%s has the keys %s, expected %s" % (where, sorted(value), sorted(keys.split())))


report = json.load(open(sys.argv[1]))
expect_keys(report, "version tool programs", "the report")
expect(report["version"] == 1 and report["tool"].startswith("prism "), "unexpected version or tool")
expect(report["programs"], "no program")
for program in report["programs"]:
    for part, keys in KEYS.items():
        value = program[part] if part else program
        if value is not None:
            expect_keys(value, keys, part or "a program")
    for candidate in program["candidates"]:
        expect_keys(candidate, CANDIDATE, "a candidate")
        expect(candidate["verdict"] == "Proved", "a candidate that is not proved was kept")
    chosen = program["chosen"]
    if chosen is None:
        continue
    expect(chosen["id"] == program["candidates"][0]["id"], "the chosen candidate is not the first")
    costs = [candidate["cost_us"] for candidate in program["candidates"]]
    # The first may cost a little more than others, with fewer instructions.
    expect(costs[1:] == sorted(costs[1:]), "the other candidates are not in order of cost")
    expect(costs[0] <= 1.05 * min(costs), "the chosen candidate is not among the cheapest")
    expect(chosen["roofline_us"] <= chosen["cost_us"], "a kernel that beats the roofline")
    expect(program["search"]["proved"] >= 1, "a chosen candidate, but none was proved")
    for kernel in chosen["kernels"] or []:
        expect_keys(kernel, KERNEL, "a kernel")
        # ptxas says all of them, or there is none.
        known = [kernel[key] is not None for key in ("registers", "spill_bytes", "occupancy")]
        expect(all(known) or not any(known), "only some of what ptxas knows is there")
        expect(not known[0] or kernel["registers"] > 0 and 0 < kernel["occupancy"] <= 1,
               "registers or occupancy out of range")
