// A page with times offers those of the browser's time zone, if it shows others. Who keeps them is not asked again.
const offer = document.querySelector("[data-time-zone]")
const here = Intl.DateTimeFormat().resolvedOptions().timeZone
const kept = "slotkey-time-zone-kept"
const offset = (timeZone) =>
  new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts().find(({ type }) =>
    type === "timeZoneName"
  ).value
if (
  offer && here && document.querySelector("main :is(time, [name=timeZone])") && localStorage.getItem(kept) !== here &&
  offset(here) !== offset(offer.dataset.timeZone)
) {
  offer.elements.time_zone.value = here
  offer.elements.return_to.value += location.search
  offer.querySelector("span").textContent = here
  offer.querySelector("[type=button]").addEventListener("click", () => {
    localStorage.setItem(kept, here)
    offer.hidden = true
  })
  offer.hidden = false
}
