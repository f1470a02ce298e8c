import { notifications } from "@mantine/notifications";
import { messageOf } from "./states.tsx";

const closeButtonProps = { "aria-label": "Dismiss" };

/** Says in a corner that something is done. */
export const sayDone = (message: string): string =>
  notifications.show({ message, color: "glass", autoClose: 4000, closeButtonProps });

/** Says in a corner that something did not work, and why. */
export const sayFailed = (title: string, error: unknown): string =>
  notifications.show({
    title,
    message: messageOf(error),
    color: "red",
    autoClose: 10_000,
    role: "alert",
    closeButtonProps,
  });

/** Says in a corner that something cannot be done, with what to do instead. */
export const sayRefused = (title: string, message: string): string =>
  notifications.show({ title, message, color: "yellow", autoClose: 10_000, role: "alert", closeButtonProps });
