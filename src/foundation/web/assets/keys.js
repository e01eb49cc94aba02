// Keys of a page that has `data-keys`, the fold with their switch. A key takes to the control with this `data-key`,
// and Enter presses that, as ever: no key alone decides anything. Where a list has rows (`data-row`), `j` and `k` go
// through their first links, and `x` ticks the first box of the row.
const fold = document.querySelector("[data-keys]")
const off = "slotkey-keys-off"
const fields = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]"

const show = (isOn) => {
  document.documentElement.classList.toggle("keys", isOn)
  for (const control of document.querySelectorAll("[data-key]")) {
    if (isOn) control.setAttribute("aria-keyshortcuts", control.dataset.key)
    else control.removeAttribute("aria-keyshortcuts")
  }
}

const go = (control) => {
  for (let at = control.closest("details"); at; at = at.parentElement.closest("details")) {
    if (control.parentElement !== at) at.open = true
  }
  if (control.matches("a")) return control.click()
  if (!control.matches("summary")) return control.focus()
  control.parentElement.open = true
  const field = control.parentElement.querySelector(":is(input:not([type=hidden]), select, textarea)")
  ;(field ?? control).focus()
}

const move = (step) => {
  const rows = [...document.querySelectorAll("[data-row]")]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step]?.querySelector("a")?.focus()
}

const press = (key) => {
  const control = document.querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (control) return () => go(control)
  if (!document.querySelector("[data-row]")) return undefined
  if (key === "j" || key === "k") return () => move(key === "j" ? 1 : -1)
  const box = key === "x" && document.activeElement.closest("[data-row]")?.querySelector("input")
  return box ? () => box.click() : undefined
}

if (fold) {
  const choice = fold.querySelector("input")
  choice.checked = localStorage.getItem(off) === null
  choice.addEventListener("change", () => {
    if (choice.checked) localStorage.removeItem(off)
    else localStorage.setItem(off, "yes")
    show(choice.checked)
  })
  fold.hidden = false
  show(choice.checked)
  addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, isComposing, key, metaKey, repeat, target } = event
    if (!choice.checked || altKey || ctrlKey || metaKey || isComposing || repeat || target.closest?.(fields)) return
    const act = press(key)
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}
