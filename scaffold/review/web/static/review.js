// The keys of the page, and sending what a person decides. The server writes every text: nothing here makes HTML.

const KEPT = ["progress", "undo", "case", "queue"]; // the parts that the answer to a step brings anew
const find = (selector, root = document) => root.querySelector(selector);

const here = () => location.pathname + location.search;

let sending = false;
let loaded = here();

function say(text, bad) {
  const said = find("#said");
  said.classList.toggle("bad", bad);
  said.textContent = "";
  requestAnimationFrame(() => { said.textContent = text; }); // the same words once more are news, too
}

function isChanged(field) {
  if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return field.selectedIndex > 0;
  return field.type !== "hidden" && field.value !== field.defaultValue;
}

const changed = (root) => [...root.querySelectorAll("input, textarea, select")].filter(isChanged);

const shownCase = () => find("#case").dataset.address;

// What was chosen and not kept stays chosen when the same case comes anew, by the form and the name of the field.
function draft() {
  const chosen = changed(find("#case")).filter((field) => field.type !== "radio" || field.checked);
  return chosen.map((field) => [field.form.id, field.name, field.value, field.type]);
}

function restore(fields) {
  for (const [form, name, value, type] of fields) {
    const radio = type === "radio" ? `[value="${CSS.escape(value)}"]` : "";
    const field = form && find(`#${form} [name="${CSS.escape(name)}"]${radio}`);
    if (field && radio) field.checked = true;
    else if (field) field.value = value;
  }
}

function swap(page) {
  const scroll = find("#queue").scrollTop;
  for (const id of KEPT) find(`#${id}`).replaceWith(find(`#${id}`, page));
  document.title = page.title;
  find("#queue").scrollTop = scroll;
  const address = shownCase();
  if (address && here() !== address) history.pushState(null, "", address);
  loaded = here();
  markCriterion();
}

async function ask(form, address) {
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body });
  return [answer, new DOMParser().parseFromString(await answer.text(), "text/html")];
}

async function send(form, address) {
  if (sending) return;
  sending = true;
  const [kept, before] = [draft(), shownCase()];
  try {
    const [answer, page] = await ask(form, address);
    const news = find("#news", page);
    if (news) {
      swap(page);
      if (shownCase() === before) restore(kept.filter(([id]) => !answer.ok || id !== form.id));
      (find("#judge") ?? find("#case")).focus(); // what had it is gone; who listens is told by #said
      say(news.content.textContent, !answer.ok);
    } else {
      say(find("#error", page)?.textContent ?? `The server answered ${answer.status}.`, true);
    }
  } catch {
    say("The server does not answer: was it ended? Nothing was kept.", true);
  }
  sending = false;
}

const criteria = () => [...document.querySelectorAll(".criterion")];
const isRated = (criterion) => find("input:checked", criterion) !== null;

function currentCriterion() {
  const focused = document.activeElement?.closest(".criterion");
  return focused ?? criteria().find((each) => !isRated(each));
}

function markCriterion() {
  const current = currentCriterion();
  for (const each of criteria()) each.classList.toggle("current", each === current);
}

function choose(level) {
  const current = currentCriterion() ?? criteria()[0];
  const input = current && find(`input[value="${level}"]:enabled`, current);
  if (!input) return;
  input.checked = true;
  const next = criteria()[criteria().indexOf(current) + 1];
  const target = next ? find("input:checked", next) ?? find("input", next) : find("#rate .main");
  target.focus();
  markCriterion();
}

function saveOrGoOn() {
  const form = find("#rate");
  if (form && changed(form).length) form.requestSubmit(find(".main", form));
  else goOn();
}

function startCorrection(about, score) {
  const form = find("#correct");
  if (!form) return say("Rate first, or show the judge: then the score can be corrected.", false);
  if (about) form.elements.about.value = about;
  if (score) form.elements.score.value = score;
  (score ? form.elements.reason : form.elements.about).focus();
  return form.scrollIntoView({ block: "nearest" });
}

function press(selector, otherwise) {
  const target = find(selector);
  if (target) target.click();
  else say(otherwise, false);
}

const goOn = () => press("#next", "This is the last one.");

const KEYS = {
  j: goOn,
  k: () => press("#previous", "This is the first one."),
  u: () => press("#undo button:enabled", "There is nothing to take back."),
  s: () => find(".show-judge")?.click(),
  c: () => startCorrection(),
  "/": () => find("#find").focus(),
  "?": () => find("#help").showModal(),
  Enter: saveOrGoOn,
};

const TYPED = "textarea, select, input:not([type=radio]):not([type=checkbox])";
const PRESSED = "a, button, summary"; // Enter is their own

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || find("#help").open) return;
  if (event.key === "Escape" && event.target.matches(TYPED)) event.target.blur();
  if (event.target.matches(TYPED) || (event.key === "Enter" && event.target.matches(PRESSED))) return;
  if (event.key !== "Enter" && localStorage.getItem("keys") === "off") return;
  const act = /^[1-9]$/.test(event.key) ? () => choose(event.key) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function onClick(event) {
  const button = event.target.closest("button");
  if (button?.id === "ask-help") find("#help").showModal();
  else if (button?.matches(".use-level")) startCorrection(button.dataset.about, button.dataset.score);
}

function onSubmit(event) {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  send(form, event.submitter?.getAttribute("formaction") ?? form.getAttribute("action"));
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
document.addEventListener("focusin", markCriterion);
document.addEventListener("change", markCriterion);
addEventListener("popstate", () => { if (here() !== loaded) location.reload(); }); // not for a place on the page
addEventListener("beforeunload", (event) => { if (changed(find("#case")).length) event.preventDefault(); });

const keysOn = find("#keys-on");
keysOn.checked = localStorage.getItem("keys") !== "off";
keysOn.addEventListener("change", () => localStorage.setItem("keys", keysOn.checked ? "on" : "off"));
const current = find("[aria-current]");
const list = find("#queue");
if (current && list.scrollHeight > list.clientHeight) current.scrollIntoView({ block: "nearest" }); // else the page would
markCriterion();
