import { Button, Text } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import classes from "./toasts.module.css";

/** Milliseconds until a notice closes automatically. */
const SHOWN = { success: 4_000, undo: 12_000, problem: 12_000 } as const;

export interface Toast {
  kind: "success" | "error" | "warning";
  message: string;
  title?: string;
  /** Offers to take the change back. */
  undo?: () => void;
  /** Another way on. */
  action?: { label: string; run(): void };
  /** The id of the failed request, for administrators. */
  requestId?: string | undefined;
}

const COLORS = { success: "glass", error: "red", warning: "yellow" } as const;

/** The place where notices appear. */
export const Toaster = () => <Notifications position="bottom-right" limit={4} />;

/** Shows a notice. */
export function showToast(toast: Toast): void {
  const { kind, title, message, undo, action, requestId } = toast;
  const button = undo === undefined ? action : { label: "Undo", run: undo };
  const id = notifications.show({
    ...(title === undefined ? {} : { title }),
    message: (
      <span className={classes.toast}>
        <span className={classes.message}>
          {message}
          {requestId !== undefined && (
            <Text component="span" display="block" size="xs" c="dimmed">
              Request ID: {requestId}
            </Text>
          )}
        </span>
        {button !== undefined && (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.button ?? ""}
            data-undo={undo === undefined ? undefined : true}
            onClick={() => {
              notifications.hide(id);
              button.run();
            }}
          >
            {button.label}
          </Button>
        )}
      </span>
    ),
    color: COLORS[kind],
    autoClose: kind !== "success" ? SHOWN.problem : button === undefined ? SHOWN.success : SHOWN.undo,
    role: kind === "success" ? "status" : "alert",
    closeButtonProps: { "aria-label": "Dismiss" },
  });
}
