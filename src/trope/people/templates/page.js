// What a page can do beyond a plain form: send without leaving, keep what is not sent, keys, time, copying proposals.
(() => {
  "use strict";
  const form = document.getElementById("answer");
  const errors = document.getElementById("errors");
  if (errors) errors.focus();
  if (!form) return;

  // --- time during which the page was seen ---
  let seen = 0, since = document.hidden ? null : performance.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && since !== null) { seen += performance.now() - since; since = null; }
    else if (!document.hidden && since === null) since = performance.now();
  });
  const active = () => (seen + (since === null ? 0 : performance.now() - since)) / 1000;

  // --- a draft, in this tab only, until it is sent ---
  const place = "trope " + form.dataset.draft;
  const fields = () => [...form.elements].filter((e) => e.name && e.type !== "hidden");
  const keep = () => {
    const draft = {};
    for (const e of fields()) if (e.type !== "radio" || e.checked) draft[e.name] = e.value;
    try { sessionStorage.setItem(place, JSON.stringify(draft)); } catch { /* private mode: no draft */ }
  };
  const forget = () => { try { sessionStorage.removeItem(place); } catch { /* none was kept */ } };
  try {
    const draft = JSON.parse(sessionStorage.getItem(place) || "{}");
    for (const e of fields()) {
      if (!(e.name in draft)) continue;
      if (e.type === "radio") e.checked = e.value === draft[e.name]; else e.value = draft[e.name];
    }
  } catch { forget(); }
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);

  // --- a range and its number ---
  for (const range of form.querySelectorAll("input[type=range]")) {
    const number = document.getElementById(range.dataset.for);
    if (number.value) range.value = number.value;
    range.addEventListener("input", () => { number.value = range.value; keep(); });
    number.addEventListener("input", () => { if (number.value) range.value = number.value; });
  }

  // --- proposals ---
  for (const button of form.querySelectorAll(".use")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      for (const cell of form.querySelectorAll(`[data-proposal="${CSS.escape(button.dataset.use)}"]`)) {
        document.getElementById(cell.dataset.target).value = cell.dataset.value;
      }
      const decision = form.querySelector(`input[value="take-${CSS.escape(button.dataset.use)}"]`);
      if (decision) decision.checked = true;
      keep();
    });
  }
  form.addEventListener("input", (event) => {
    const changed = event.target.closest(".proposals");
    const edit = form.querySelector("input[type=radio][value=edit]");
    if (changed && edit) { edit.checked = true; keep(); }
  });

  // --- keys: a digit or letter answers the question in hand, or the first one that is open ---
  const groups = [...form.querySelectorAll("fieldset")].filter((g) => g.querySelector("input[type=radio]"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    if (event.target.matches("input:not([type=radio]), textarea, select")) return;
    const inside = event.target.closest && event.target.closest("fieldset");
    const group = groups.includes(inside) ? inside : groups.find((g) => !g.querySelector(":checked")) || groups[groups.length - 1];
    if (!group) return;
    const radios = [...group.querySelectorAll("input[type=radio]")];
    const wanted = radios.find((r) => r.value.toUpperCase() === event.key.toUpperCase()) || radios[Number(event.key) - 1];
    if (!wanted) return;
    event.preventDefault();
    wanted.checked = true;
    keep();
    const next = groups[groups.indexOf(group) + 1];
    const open = next && !next.querySelector(":checked") ? next.querySelector("input") : null;
    (open || document.getElementById("go")).focus();
  });

  // --- sending: once, and again until there is an answer; the server knows what it has ---
  const go = document.getElementById("go");
  const offline = document.getElementById("offline");
  let sending = false, timer = 0;
  const send = async () => {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    go.disabled = true;
    form.elements.active.value = active().toFixed(1);
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form)), headers: { accept: "application/json" },
      });
      offline.hidden = true;
      if (answer.ok) { forget(); location.assign((await answer.json()).next); return; }
      form.submit(); // the server refuses: let it show why, in a page
    } catch {
      offline.hidden = false;
      keep();
      sending = false;
      go.disabled = false;
      timer = setTimeout(send, 3000);
    }
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); send(); });
  addEventListener("online", () => { if (!offline.hidden) send(); });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
