import "./app/without-eval.ts";
import "./app/components.css";
import "@mantine/notifications/styles.css";
import "@mantine/dropzone/styles.css";
import "./app/look.css";
import { createRoot } from "react-dom/client";
import { Portal } from "./app/portal.tsx";

const place = document.getElementById("portal");
if (place !== null) createRoot(place).render(<Portal />);
