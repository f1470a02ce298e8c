import { notifications } from "@mantine/notifications";
import { messageOf } from "./states.tsx";

const closeButtonProps = { "aria-label": "Dismiss" };

/** Shows a notification about success. */
export const notifySuccess = (message: string): string =>
  notifications.show({ message, color: "glass", autoClose: 4000, closeButtonProps });

/** Shows a notification about a failure with its reason. */
export const notifyError = (title: string, error: unknown): string =>
  notifications.show({
    title,
    message: messageOf(error),
    color: "red",
    autoClose: 10_000,
    role: "alert",
    closeButtonProps,
  });

/** Shows a notification about something impossible, with an alternative. */
export const notifyWarning = (title: string, message: string): string =>
  notifications.show({ title, message, color: "yellow", autoClose: 10_000, role: "alert", closeButtonProps });
