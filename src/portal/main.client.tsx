import "./app/without-eval.ts";
import "./app/components.css";
import "@mantine/notifications/styles.css";
import "@mantine/dropzone/styles.css";
import "./app/look.css";
import { createRoot } from "react-dom/client";
import { guardKeyboard } from "../look/frame/client/keyboard-guard.ts";
import { loadPortal, Portal } from "./app/portal.tsx";

guardKeyboard();
const place = document.getElementById("portal");
if (place !== null) void loadPortal().then((state) => createRoot(place).render(<Portal {...state} />));
