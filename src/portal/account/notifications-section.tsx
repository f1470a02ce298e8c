import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { setNotificationsRoute } from "../../client/routes.ts";
import { notificationsQuery } from "../api/inbox-queries.ts";
import { Section } from "../shared/page.tsx";
import { useChoice } from "../shared/use-choice.ts";
import { useAccountCall } from "./use-account-call.ts";

/** Lets the user choose what they get mail about, where the server sends mail. */
export function NotificationsSection() {
  const { data } = useQuery(notificationsQuery());
  const { mutateAsync } = useAccountCall(setNotificationsRoute, "Couldn't change notifications");
  const { shown, choose } = useChoice(data?.mail ?? false, (mail) => mutateAsync({ mail }));
  if (data?.can_mail !== true) return null;
  return (
    <Section title="Notifications">
      <Switch
        label="Email me about comments"
        description="Mentions, replies and comments on your reports that you haven't read."
        checked={shown}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    </Section>
  );
}
