/**
 * Keeps the keys of a reader who opens the palette before the portal has drawn anything: Ctrl K would go to the browser.
 * Hands them over to the portal, which asks with an event that has a list to fill.
 */
export const EARLY_KEYS = `{const keys=[],keep=event=>{const {key}=event,isHeld=event.ctrlKey||event.metaKey
const opens=isHeld&&!event.altKey&&!event.shiftKey&&key.toLowerCase()==="k"
const isTyped=keys.length>0&&!isHeld&&!event.altKey&&(key.length===1||key==="Backspace"||key==="Escape")
if(!opens&&!isTyped||document.querySelector("#portal>:not(style)"))return
event.preventDefault()
keys.push(opens?"":key)}
addEventListener("keydown",keep,true)
addEventListener("earlykeys",({detail})=>{removeEventListener("keydown",keep,true)
detail.push(...keys)},{once:true})}`;
