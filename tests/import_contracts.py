"""A contract of our own for lint-imports: no cycles among modules. Imports for type checkers alone do not count."""

from __future__ import annotations

from typing import Any

import grimp
from importlinter import Contract, ContractCheck, fields, output


class NoCycles(Contract):
    """No module imports itself by way of others."""

    type_name = "no_cycles"
    but = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    """Packages of which cycles are allowed for now."""

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Whether there are none."""
        allowed = tuple(f"{name}." for name in self.but or [])
        found = [
            cycle
            for cycle in cycles(grimp.build_graph("pbem", exclude_type_checking_imports=True))
            if not all(f"{module}.".startswith(allowed) for module in cycle)
        ]
        return ContractCheck(kept=not found, metadata={"cycles": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Each cycle on a line."""
        for cycle in check.metadata["cycles"]:
            output.print_error(" ↔ ".join(cycle))


def cycles(graph: Any) -> list[list[str]]:
    """The sets of modules that import each other (Tarjan's components of more than one module)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(start: str) -> None:
        work = [(start, iter(sorted(graph.find_modules_directly_imported_by(start))))]
        order[start] = lowest[start] = len(order)
        stack.append(start)
        while work:
            module, imported = work[-1]
            for other in imported:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    stack.append(other)
                    work.append((other, iter(sorted(graph.find_modules_directly_imported_by(other)))))
                    break
                if other in stack:
                    lowest[module] = min(lowest[module], order[other])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[module])
                if lowest[module] == order[module]:
                    at = stack.index(module)
                    component = sorted(stack[at:])
                    del stack[at:]
                    if len(component) > 1:
                        found.append(component)

    for module in sorted(graph.modules):
        if module not in order:
            visit(module)
    return found
