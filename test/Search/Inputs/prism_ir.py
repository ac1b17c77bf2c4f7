# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prism programs and candidates as prism-opt prints them, read into Python objects.

Reads the printed form of the dialect's ops, one op a line, and knows nothing of what
they compute. Values are named per block, as printed. An op that is not understood is
an error: nothing is skipped.
"""
import re


class Type:
    """level ("tensor" or "tile"), extents (texts such as `2*e`, `d/x/i`), element."""

    def __init__(self, level, extents, element):
        self.level, self.extents, self.element = level, tuple(extents), element

    def __eq__(self, other):
        return (self.level, self.extents, self.element) == (other.level, other.extents,
                                                            other.element)


class Op:
    """name without `prism.`, results and operands (names), attributes, types, body."""

    def __init__(self, name, results, operands, attributes, types, body=None):
        self.name, self.results, self.operands = name, results, operands
        self.attributes, self.types, self.body = attributes, types, body

    @property
    def result(self):
        return self.results[0]

    @property
    def type(self):
        """Of the first result."""
        return self.types[-len(self.results)]


class Block:
    """arguments (name, type), ops, and the names that its yield returns."""

    def __init__(self, arguments):
        self.arguments, self.ops, self.yielded = arguments, [], []


class Candidate:
    """`text` is its body as it was printed."""

    def __init__(self, name, state, verdict, body, text=""):
        self.name, self.state, self.verdict, self.body = name, state, verdict, body
        self.text = text


class Program:
    """name, extents (symbol -> value or None), body, candidates, statistics."""

    def __init__(self, name, extents, statistics, body):
        self.name, self.extents, self.statistics = name, extents, statistics
        self.body, self.candidates = body, []


TYPE = re.compile(r"!prism\.(tensor|tile)<\[(.*?)\], (\w+)>")
VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")


def parse_types(text):
    return [Type(level, [e for e in extents.split(", ") if e], element)
            for level, extents, element in TYPE.findall(text)]


def parse_lists(text):
    """`[d0, d2], [] -> [d1]` as [["d0", "d2"], [], ["d1"]]."""
    return [[part for part in re.split(r",\s*|/", inner) if part]
            for inner in re.findall(r"\[([^][]*)\]", text)]


def parse_iteration_dims(text):
    return [[int(d[1:]) for d in dims] for dims in parse_lists(text)]


def parse_integers(text):
    return [int(n) for n in re.findall(r"-?\d+", text)]


def parse_map(text):
    """`[[x, i], []]` as [["x", "i"], []]: per data dim its splits, outermost first."""
    return [[s for s in inner.split(", ") if s]
            for inner in re.findall(r"\[([^][]*)\]", text[1:-1])]


def parse_value(text):
    """A constant: a float, a bool or the text of an extent."""
    extent = re.fullmatch(r"#prism\.extent<(.*)>", text)
    if extent:
        return extent[1]
    if text in ("true", "false"):
        return text == "true"
    number = text.split(" : ")[0]
    if re.fullmatch(r"0x[0-9A-Fa-f]+", number):
        raise ValueError("the constant %s has no decimal form" % text)
    return float(number)


# Attributes between operands and types: name -> (pattern, parser of its group).
ATTRIBUTES = {
    "maps": (r"\bmaps (\[.*\] -> \[.*?\])", parse_iteration_dims),
    "dims": (r"\bdims \[(.*?)\]", parse_integers),
    "dim": (r"\bdim (\d+)", int),
    "offset": (r"\boffset (\d+)", int),
    "permutation": (r"\bpermutation \[(.*?)\]", parse_integers),
    "epsilon": (r"\bepsilon (\S+)", float),
    "over": (r"\bover (\w+)", str),
    "map": (r" (\[(?:\[[^][]*\](?:, )?)*\])(?: partials|$)", parse_map),
    "partials": (r"\bpartials \[(.*?)\]", lambda text: text.split(", ")),
    "kind": (r"^(sum|max|rescaled_sum|lt|le|gt|ge|eq|ne|erf|tanh) ", str),
}


def split_types(name, text):
    """The part before the types, and the types."""
    if name == "constant":
        at = text.rindex(" -> ")
    elif name in ("load", "save", "accumulate", "yield"):
        at = text.find(" : ")
        at = len(text) if at < 0 else at
    else:
        at = text.rindex(" : (")
    return text[:at], parse_types(text[at:])


class Parser:
    def __init__(self, text):
        self.lines = [line.strip() for line in text.split("\n")]
        self.at = 0

    def programs(self):
        found = []
        while self.at < len(self.lines):
            line = self.next()
            if line.startswith("prism.program "):
                found.append(self.program(line))
        return found

    def next(self):
        self.at += 1
        return self.lines[self.at - 1]

    def program(self, line):
        name = re.search(r"@([\w$.-]+)", line)[1]
        declared = re.search(r"\bextents \[(.*?)\] \(", line)
        extents = {}
        for entry in declared[1].split(", ") if declared and declared[1] else []:
            symbol, value = entry.split(" = ")
            extents[symbol] = None if value == "?" else int(value)
        statistics = re.search(r"prism\.statistics = \{(.*?)\}", line)
        counts = dict(re.findall(r"(\w+) = (\w+)", statistics[1])) if statistics else {}
        body = Block(self.arguments(line.split(" -> ")[0]))
        self.ops(body)
        program = Program(name, extents, counts, body)
        if self.lines[self.at - 1] == "} candidates {":
            while (line := self.next()) != "}":
                program.candidates.append(self.candidate(line))
        return program

    @staticmethod
    def arguments(text):
        return [(name, parse_types(type)[0])
                for name, type in re.findall(r"(%[\w$.-]+): (!prism\.\w+<\[.*?\], \w+>)", text)]

    def candidate(self, line):
        match = re.match(r'prism\.candidate "(.*?)" (\w+)(?: verdict (\w+))?', line)
        if not match:
            raise ValueError("expected a candidate: " + line)
        start = self.at
        body = Block(self.arguments(self.next()))
        self.ops(body)
        return Candidate(match[1], match[2], match[3], body,
                         "\n".join(self.lines[start:self.at]))

    def ops(self, block):
        """Up to and with the line that ends the block."""
        while not (line := self.next()).startswith("}"):
            if line.startswith("prism.yield"):
                block.yielded = VALUE.findall(line.split(" : ")[0])
            elif line:
                block.ops.append(self.op(line))

    def op(self, line):
        match = re.match(r"((?:%[\w$.-]+(?::\d+)?(?:, )?)+) = prism\.(\w+) (.*)$", line)
        if not match:
            raise ValueError("not understood: " + line)
        results, name, rest = match.groups()
        results = self.result_names(results)
        if name in ("kernel", "thread_graph"):
            return self.graph(name, results, rest)
        before, types = split_types(name, rest)
        attributes = {}
        for key, (pattern, parse) in ATTRIBUTES.items():
            found = re.search(pattern, before)
            if found:
                attributes[key] = parse(found[1])
        if name == "constant":
            attributes = {"value": parse_value(before)}
        if name == "reshape":
            attributes = dict(zip(("operand_dims", "result_dims"), map(
                parse_iteration_dims, before[before.index("("):].split(" -> "))))
        return Op(name, results, VALUE.findall(before), attributes, types)

    @staticmethod
    def result_names(text):
        names = []
        for name in text.split(", "):
            base, _, count = name.partition(":")
            names += ["%s#%d" % (base, i) for i in range(int(count))] if count else [base]
        return names

    def graph(self, name, results, rest):
        head = re.match(r'"(.*?)"\((.*?)\) parallel \[(.*?)\](?: equalities \[.*?\])? : ', rest)
        if not head:
            raise ValueError("not understood: prism.%s %s" % (name, rest))
        pairs = re.findall(r"(%[\w$.-]+) = (%[\w$.#-]+)", head[2])
        inputs, _, outputs = rest[head.end():].rpartition(" -> ")
        types = parse_types(inputs)
        body = Block(list(zip([pair[0] for pair in pairs], types)))
        parallel = []
        for entry in head[3].split(", ") if head[3] else []:
            words = entry.split()
            parallel.append((words[0], words[1], int(words[3]) if len(words) > 3 else None))
        self.ops(body)
        return Op(name, results, [pair[1] for pair in pairs],
                  {"name": head[1], "parallel": parallel}, types + parse_types(outputs), body)


def parse(text):
    """The programs of a module, in order."""
    return Parser(text).programs()


# --- Extents -----------------------------------------------------------------------
def evaluate_extent(text, lookup, split=None):
    """The value of an extent: symbols by `lookup(name)`; `split(value, dim)` is the
    extent of this block's chunk of `value` along a parallel dim."""
    total = 0
    for term in text.split(" + "):
        product = 1
        for factor in term.split("*"):
            base, *splits = factor.split("/")
            value = int(base) if re.fullmatch(r"-?\d+", base) else lookup(base)
            for dim in splits:
                if split is None:
                    raise ValueError("%s is the extent of a tile" % text)
                value = split(value, dim)
            product *= value
        total += product
    return total
