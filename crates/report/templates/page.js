// Copies commands, sorts the table of cases, and shows a line that is linked to.
"use strict";
for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const text = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    const word = button.firstChild;
    word.textContent = "Copied";
    setTimeout(() => { word.textContent = "Copy"; }, 1500);
  });
}

for (const head of document.querySelectorAll("#case-table th button")) {
  head.addEventListener("click", () => {
    const cell = head.parentElement;
    const down = cell.getAttribute("aria-sort") === "ascending";
    for (const other of cell.parentElement.children) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = document.querySelector("#case-table tbody");
    const rows = [...body.rows].map((row) => [Number(row.cells[cell.cellIndex].dataset.n), row]);
    rows.sort((a, b) => (down ? b[0] - a[0] : a[0] - b[0]));
    body.append(...rows.map((row) => row[1]));
  });
}

// A file begins where there is something to see: a failure, a side that was missed, a branch.
function settle(file) {
  const code = file.querySelector(".code");
  const line = code && (code.querySelector(".l.bad") || code.querySelector(".why:not(.far)") || code.querySelector("u"));
  if (!line || code.scrollTop) return;
  code.scrollTop = line.getBoundingClientRect().top - code.getBoundingClientRect().top - 180;
}
for (const file of document.querySelectorAll(".file")) {
  if (file.open) settle(file);
  file.addEventListener("toggle", () => settle(file));
}

function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const file = target && target.closest("details");
  if (file && !file.open) {
    file.open = true;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", reveal);
reveal();

if ("live" in document.body.dataset) {
  setInterval(async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (!answer || !answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of [".top", ".tiles", "#findings", "#coverage"]) {
      const [from, to] = [fresh.querySelector(part), document.querySelector(part)];
      if (from && to && from.innerHTML !== to.innerHTML) to.innerHTML = from.innerHTML;
    }
    if (!("live" in fresh.body.dataset)) location.reload();
  }, 2000);
}
