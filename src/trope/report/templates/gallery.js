// The gallery: rows arrive in scripts (file:// cannot fetch), are filtered here, and shown a page at a time.
"use strict";
const trope = (() => {
  const PAGE = 60;
  const all = [];
  let shown = [], page = 0, viewed = -1;
  const $ = (id) => document.getElementById(id);
  const form = $("filters"), cards = $("cards"), viewer = $("viewer");
  const chunks = Number(document.body.dataset.chunks), cells = Number(document.body.dataset.cells);

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };

  const sentence = (row) => {
    // spans are code points; strings here are UTF-16
    const points = Array.from(row.text), node = make("span", { class: "text", dir: "auto", lang: row.lang });
    const marks = Object.entries(row.marks || {}).sort((a, b) => a[1][0] - b[1][0]);
    let at = 0;
    for (const [name, [start, end]] of marks) {
      if (start < at) continue;
      node.append(points.slice(at, start).join(""), make("mark", { class: name, title: name }, points.slice(start, end).join("")));
      at = end;
    }
    node.append(points.slice(at).join(""));
    return node;
  };

  const frame = (row, source) => {
    const node = make("span", { class: "frame" });
    if (!source) { node.append(make("span", { class: "nothing" }, row.status)); return node; }
    node.append(make("img", { src: source, loading: "lazy", alt: `Picture for: ${row.text}` }));
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 1 1");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    for (const [name, seen] of Object.entries(row.seen)) {
      if (!seen.box) continue;
      const [x0, y0, x1, y1] = seen.box, box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [k, v] of [["x", x0], ["y", y0], ["width", x1 - x0], ["height", y1 - y0]]) box.setAttribute(k, v);
      if (name === "truth") box.setAttribute("stroke-dasharray", "4 4");
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = `${name}: ${seen.label} ${seen.score}`;
      box.append(title);
      svg.append(box);
    }
    node.append(svg);
    return node;
  };

  const verdicts = (row) => Object.entries(row.seen).map(([name, seen]) => make("span", {}, `${name}: `,
    make("span", { class: `verdict ${seen.verdict}` }, seen.verdict + (seen.score === undefined ? "" : ` ${seen.score}`))));

  const card = (row, index, withText) => {
    const layer = row.branch === undefined ? "" : ` · ${row.layer}`;
    const meta = (row.branch === undefined || withText ? `${row.subject} · ${row.strategy} · seed ${row.seed}` : row.branch) + layer + (row.attempts > 1 ? ` · ${row.attempts} tries` : "");
    const what = make("span", { class: "what" });
    if (withText) what.append(sentence(row));
    if (row.reply) what.append(make("span", { class: "reply", dir: "auto" }, row.reply.slice(0, 160)));
    what.append(...verdicts(row), make("span", { class: "meta" }, meta));
    if (row.reason) what.append(make("span", { class: "meta" }, row.reason));
    const node = make("button", { class: "card", type: "button" }, frame(row, row.thumb), what);
    node.addEventListener("click", () => view(index));
    return node;
  };

  const view = (index) => {
    if (index < 0 || index >= shown.length) return;
    viewed = index;
    const row = shown[index];
    $("viewed").replaceChildren(frame(row, row.image), make("p", { dir: "auto" }, sentence(row)),
      ...(row.reply ? [make("pre", { class: "reply", dir: "auto" }, row.reply)] : []),
      ...verdicts(row).map((v) => make("p", {}, v)),
      ...Object.entries(row.seen).flatMap(([name, seen]) => Object.entries(seen.told || {}).map(([of, why]) =>
        make("p", { class: "meta" }, `${name}, ${of}: `, make("bdi", {}, why)))),
      make("p", { class: "meta" }, `${row.item} · ${row.subject} · ${row.strategy} · seed ${row.seed} · ${row.status}`
        + (row.vehicle ? ` · vehicle: ${row.vehicle}` : "") + (row.reason ? ` · ${row.reason}` : "")));
    if (!viewer.open) viewer.showModal();
  };

  const passes = (row, wanted) => {
    const seen = row.seen[wanted.instrument];
    if (wanted.subject && row.subject !== wanted.subject) return false;
    if (wanted.strategy && row.strategy !== wanted.strategy) return false;
    if (wanted.status && row.status !== wanted.status) return false;
    if (wanted.verdict && (!seen || seen.verdict !== wanted.verdict)) return false;
    if (wanted.score && !(seen && seen.score >= Number(wanted.score))) return false;
    return !wanted.text || `${row.text} ${row.item} ${row.vehicle || ""}`.toLowerCase().includes(wanted.text.toLowerCase());
  };

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    // layers are shown in strips: in the plain grid only if they are asked for
    shown = all.filter((row) => passes(row, wanted) && (wanted.beside || wanted.strategy || row.branch === undefined));
    if (wanted.beside) {
      const place = new Map();
      shown.forEach((row) => { const k = [row.item, row.seed, ...(row.branch === undefined ? [] : [row.subject, row.branch])].join("\u0000"); if (!place.has(k)) place.set(k, place.size); row.place = place.get(k); });
      shown.sort((a, b) => a.place - b.place);
    }
    page = Math.min(page, Math.max(0, Math.ceil(shown.length / PAGE) - 1));
    draw(Boolean(wanted.beside));
  };

  const draw = (beside) => {
    const start = page * PAGE, part = shown.slice(start, start + PAGE), nodes = [];
    cards.className = beside ? "" : "grid";
    if (beside) {
      let group = null;
      part.forEach((row, n) => {
        if (!group || group.place !== row.place) {
          const line = make("div", { class: "line" });
          const strip = row.branch === undefined ? [] : [make("span", { class: "meta" }, ` ${row.subject} · ${row.branch}, layer by layer`)];
          nodes.push(make("div", { class: "beside" }, make("p", { dir: "auto" }, sentence(row), ...strip), line));
          group = { place: row.place, line };
        }
        group.line.append(card(row, start + n, false));
      });
    } else {
      part.forEach((row, n) => nodes.push(card(row, start + n, true)));
    }
    cards.replaceChildren(...nodes);
    const loading = all.length < cells ? `, ${all.length} of ${cells} loaded` : "";
    $("count").textContent = `${shown.length} of ${cells} pictures${loading}`;
    $("page").textContent = `${shown.length ? page + 1 : 0} / ${Math.ceil(shown.length / PAGE)}`;
    $("previous").disabled = page === 0;
    $("next").disabled = start + PAGE >= shown.length;
  };

  const turn = (by) => { const last = Math.ceil(shown.length / PAGE) - 1; const to = Math.min(Math.max(0, page + by), Math.max(0, last)); if (to !== page) { page = to; filter(); $("pictures").scrollIntoView(); } };

  form.addEventListener("input", () => { page = 0; filter(); });
  form.addEventListener("reset", () => setTimeout(() => { page = 0; filter(); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  $("previous").addEventListener("click", () => turn(-1));
  $("next").addEventListener("click", () => turn(1));
  document.addEventListener("keydown", (event) => {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    if (viewer.open) { event.preventDefault(); view(viewed + by); } else if (!event.target.closest(".scroll")) turn(by);
  });

  const load = (n) => {
    if (n > chunks) return;
    const script = make("script", { src: `data/${String(n).padStart(4, "0")}.js` });
    script.addEventListener("load", () => load(n + 1));
    script.addEventListener("error", () => { $("count").textContent = `data/${n} could not be loaded: was the folder moved in part?`; });
    document.head.append(script);
  };

  // the first call happens once `trope` exists
  setTimeout(() => { filter(); load(1); });
  return { rows: (rows) => { all.push(...rows); filter(); } };
})();
