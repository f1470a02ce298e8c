/** Sends the decision. Only a click on a button decides, never the Enter key in a field. */
export const CONSENT_SCRIPT = `
const form = document.querySelector("form");
const buttons = form.querySelectorAll("button");
const alert = form.querySelector("[role=alert]");
const scopeBox = (scope) => form.querySelector('[name=scope][value="reports:' + scope + '"]');
const enable = (isEnabled) => {
  for (const button of buttons) button.disabled = !isEnabled;
};
function includeRead() {
  const [read, write] = [scopeBox("read"), scopeBox("write")];
  if (!read || !write) return;
  if (write.checked) read.checked = true;
  read.disabled = write.checked;
}
async function decide(allow) {
  const scopes = [...form.querySelectorAll("[name=scope]:checked")].map(({ value }) => value);
  const body = { ...JSON.parse(form.dataset.body), allow, owner: form.elements.owner.value, scopes };
  enable(false);
  alert.textContent = "";
  try {
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(form.dataset.to, init);
    const answer = await response.json();
    if (response.ok) return leave(answer.url, allow);
    alert.textContent = answer.error;
  } catch {
    alert.textContent = "Can't reach the server. Check your connection and try again.";
  }
  enable(true);
}
function leave(url, allow) {
  if (!url) return location.replace(form.dataset.next + (allow ? "?answer=allowed" : "?answer=declined"));
  // A program's own scheme opens the program and leaves this page as it is.
  if (!/^https?:/.test(url)) {
    const note = document.createElement("p");
    note.textContent = "Return to the app. You can close this page.";
    form.replaceWith(note);
  }
  location.assign(url);
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", includeRead);
for (const button of buttons) button.addEventListener("click", () => decide(button.value === "allow"));
addEventListener("pageshow", () => enable(true));
includeRead();
enable(true);
`;
