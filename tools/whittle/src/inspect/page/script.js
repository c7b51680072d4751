"use strict";
const element = (name, words = {}, text) => {
  const made = Object.assign(document.createElement(name), words);
  if (text !== undefined) made.textContent = text;
  return made;
};
const bytes = (number) => number.toLocaleString("en").replaceAll(",", "\u202f");
const percent = (part, whole) => (part / whole * 100).toFixed(1) + " %";

// --- the treemap: crate > module > function ---------------------------------------------------------------------------
const treemap = document.getElementById("treemap"), tip = document.getElementById("tip"), crumbs = document.getElementById("path");
const total = Number(treemap.dataset.total);
const trees = JSON.parse(document.getElementById("trees").textContent);
const hues = new Map();

const grow = (name, contents, level, hue) => {
  const node = { name: name || (level === 2 ? "(its root)" : "(no name)"), hue, children: [] };
  if (typeof contents === "number") return { ...node, bytes: contents };
  node.children = contents.map(([inner, more]) => grow(inner, more, level + 1, hue)).sort((a, b) => b.bytes - a.bytes);
  node.bytes = node.children.reduce((sum, child) => sum + child.bytes, 0);
  // What has no function, as headers have none, is no branch.
  if (node.children.length === 1 && node.children[0].name === "(no name)") node.children = [];
  return node;
};
const plant = (crates) => {
  const sizes = new Map(crates.map(([name, modules]) => [name, grow(name, modules, 1).bytes]));
  const names = crates.map(([name]) => name).filter((name) => name !== "other").sort((a, b) => sizes.get(b) - sizes.get(a));
  // A crate keeps its colour in both trees; the seven strongest differ for every eye, and labels tell the rest.
  for (const name of names) if (!hues.has(name)) hues.set(name, hues.size % 7);
  const children = crates.map(([name, modules]) => grow(name, modules, 1, hues.get(name) ?? 7)).sort((a, b) => b.bytes - a.bytes);
  return { name: "the file", children, bytes: children.reduce((sum, child) => sum + child.bytes, 0), hue: 7 };
};
const roots = { written: plant(trees.written), linked: plant(trees.linked) };
let path = [roots.written];

// Squarified (Bruls, Huizing and van Wijk, 2000): rows along the shorter side, as long as they make squarer cells.
const squarify = (nodes, x, y, width, height) => {
  const cells = [], all = nodes.reduce((sum, node) => sum + node.bytes, 0);
  const area = all > 0 ? width * height / all : 0;
  let begin = 0;
  while (begin < nodes.length && width > 0 && height > 0) {
    const side = Math.min(width, height);
    let sum = 0, end = begin, worst = Infinity;
    while (end < nodes.length) {
      const next = sum + nodes[end].bytes * area;
      const ratio = Math.max(side * side * nodes[begin].bytes * area / (next * next), next * next / (side * side * nodes[end].bytes * area));
      if (ratio > worst) break;
      [sum, worst, end] = [next, ratio, end + 1];
    }
    const depth = sum / side;
    let along = 0;
    for (; begin < end; begin++) {
      const length = nodes[begin].bytes * area / depth;
      cells.push(width >= height ? [nodes[begin], x, y + along, depth, length] : [nodes[begin], x + along, y, length, depth]);
      along += length;
    }
    if (width >= height) { x += depth; width -= depth; } else { y += depth; height -= depth; }
  }
  return cells;
};
const place = (cell, x, y, width, height) => {
  Object.assign(cell.style, { left: x + "px", top: y + "px", width: Math.max(0, width - 2) + "px", height: Math.max(0, height - 2) + "px" });
};
const tell = (cell, names, node) => {
  const show = (left, top) => {
    tip.replaceChildren(element("b", {}, names.join(" › ")), `${bytes(node.bytes)} bytes, ${percent(node.bytes, total)} of the file`);
    tip.hidden = false;
    tip.style.left = Math.max(4, Math.min(left + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = (top + 18 + tip.offsetHeight > innerHeight ? top - tip.offsetHeight - 10 : top + 18) + "px";
  };
  cell.onmousemove = (event) => { event.stopPropagation(); show(event.clientX, event.clientY); };
  cell.onmouseleave = cell.onblur = () => { tip.hidden = true; };
  cell.onfocus = () => { const box = cell.getBoundingClientRect(); if (cell.matches(":focus-visible")) show(box.left, box.top); };
};
const draw = (focus) => {
  const node = path.at(-1), names = path.slice(1).map((step) => step.name);
  tip.hidden = true;
  treemap.replaceChildren();
  for (const [child, x, y, width, height] of squarify(node.children, 0, 0, treemap.clientWidth + 2, treemap.clientHeight + 2)) {
    if (width < 3 || height < 3) continue;
    const opens = child.children.length > 0;
    const cell = element(opens ? "button" : "div", { className: "cell outer", tabIndex: 0 });
    cell.setAttribute("aria-label", `${child.name}, ${bytes(child.bytes)} bytes`);
    if (!opens) cell.setAttribute("role", "img");
    cell.style.setProperty("--hue", `var(--c${child.hue})`);
    place(cell, x, y, width, height);
    if (width > 34 && height > 20) cell.append(element("span", {}, child.name));
    if (opens) cell.onclick = () => { path.push(child); draw(true); };
    tell(cell, [...names, child.name], child);
    if (opens && width > 40 && height > 44) {
      for (const [inner, left, top, wide, high] of squarify(child.children, 3, 20, width - 6, height - 23)) {
        if (wide < 4 || high < 4) continue;
        // Names break behind the parts of a path, on one line where there is no room for two.
        const label = wide > 44 && high > 18 ? inner.name.replace(/::|_/g, "$&\u200b") : "";
        const part = element("div", { className: high < 36 ? "cell inner flat" : "cell inner" }, label);
        place(part, left, top, wide, high);
        tell(part, [...names, child.name, inner.name], inner);
        cell.append(part);
      }
    }
    treemap.append(cell);
  }
  crumbs.replaceChildren(...path.flatMap((step, index) => {
    if (index === path.length - 1) return [element("b", {}, step.name), element("small", {}, `${bytes(step.bytes)} bytes`)];
    return [element("button", { type: "button", onclick: () => { path.length = index + 1; draw(true); } }, step.name), element("i", {}, "›")];
  }));
  if (focus) treemap.querySelector(".outer")?.focus({ preventScroll: true });
};
document.querySelectorAll(".scripted").forEach((section) => { section.hidden = false; });
document.querySelectorAll("input[name=tree]").forEach((input) => {
  input.onchange = () => {
    let step = roots[input.value];
    const wanted = path.slice(1).map((old) => old.name);
    path = [step];
    for (const name of wanted) {
      step = step.children.find((child) => child.name === name && child.children.length > 0);
      if (!step) break;
      path.push(step);
    }
    draw();
  };
});
treemap.onkeydown = (event) => {
  if (event.key === "Escape" && path.length > 1) { path.pop(); draw(true); return; }
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const cells = [...treemap.children];
  cells[(cells.indexOf(document.activeElement) + step + cells.length) % cells.length]?.focus();
  event.preventDefault();
};
new ResizeObserver(() => draw()).observe(treemap);

// --- the graph: what a component is joined with -----------------------------------------------------------------------
const graph = document.getElementById("graph");
const choose = (node) => {
  graph.querySelectorAll(".on").forEach((part) => part.classList.remove("on"));
  graph.classList.toggle("chosen", node !== undefined);
  if (node === undefined) return;
  const lines = [...graph.querySelectorAll(".line")], on = new Set([node]);
  const component = graph.querySelector(`[data-node="${node}"]`).classList.contains("component");
  const follow = (from, to) => {
    for (const line of lines.filter((line) => line.dataset[from] === node)) {
      const contract = line.dataset[to];
      on.add(contract);
      line.classList.add("on");
      // A contract is no end: the line goes on to who provides it, or back to who needs it.
      if (!component) continue;
      for (const more of lines.filter((more) => more.dataset[from] === contract)) { on.add(more.dataset[to]); more.classList.add("on"); }
    }
  };
  follow("from", "to");
  follow("to", "from");
  graph.querySelectorAll("g").forEach((part) => part.classList.toggle("on", on.has(part.dataset.node)));
};
graph?.querySelectorAll("g").forEach((part) => {
  part.onmouseenter = part.onfocus = () => choose(part.dataset.node);
  part.onmouseleave = part.onblur = () => choose();
});

// --- tables: sorted by a column's head, filtered by words -------------------------------------------------------------
document.querySelectorAll("table").forEach((table) => {
  const body = table.tBodies[0], rows = [...body.rows];
  const value = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = element("button", { type: "button" }, head.textContent);
    button.onclick = () => {
      const number = head.classList.contains("number");
      const down = head.ariaSort ? head.ariaSort === "ascending" : number;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const compare = (a, b) => number ? value(a, column) - value(b, column) : value(a, column).localeCompare(value(b, column));
      body.append(...rows.sort((a, b) => (down ? -1 : 1) * compare(a, b)));
    };
    head.replaceChildren(button);
  });
  if (rows.length < 12) return;
  const input = element("input", { type: "search", placeholder: "Filter" }), count = element("span", {}, `${rows.length} rows`);
  input.setAttribute("aria-label", `Filter the table: ${table.caption.textContent}`);
  input.oninput = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
  };
  const filter = element("div", { className: "filter" });
  filter.append(input, count);
  table.parentElement.before(filter);
});
