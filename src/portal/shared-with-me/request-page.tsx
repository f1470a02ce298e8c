import { Button, Stack, Text, TextInput } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { requestAccessRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { messageOf } from "../shared/errors.ts";
import { Page } from "../shared/page.tsx";
import { MissingState, Notice } from "../shared/states.tsx";
import { useAccount } from "../shared/use-account.ts";

/** Asks for access to the report that the address names, whether or not there is one. */
export function RequestPage() {
  const { name, code } = useSearch({ from: "/request-access" });
  const reference = name === undefined ? (code === undefined ? undefined : { code }) : { name };
  return reference === undefined ? <MissingState /> : <RequestForm reference={reference} />;
}

function RequestForm({ reference }: { reference: { name: string } | { code: string } }) {
  const { user } = useAccount();
  const [message, setMessage] = useState("");
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () =>
      api.call(requestAccessRoute, {
        body: { ...reference, ...(message.trim() === "" ? {} : { message: message.trim() }) },
      }),
  });
  if (isSuccess)
    return (
      <Notice icon={<IconCircleCheck />} title="Request sent" isPage>
        If there is a report at this address, the people who can share it see your request. It appears under “Shared
        with me” once they accept.
      </Notice>
    );
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isPending) mutate();
  }
  return (
    <Page
      title="Request access"
      description={`Ask the people who can share the report at this address. They see your name, ${user.email} and your message.`}
    >
      <form onSubmit={submit}>
        <Stack maw={520} align="flex-start">
          <TextInput
            label="Message (optional)"
            placeholder="Why you need it"
            maxLength={500}
            w="100%"
            value={message}
            onChange={({ currentTarget }) => setMessage(currentTarget.value)}
          />
          {error !== null && (
            <Text role="alert" c="red" size="sm">
              {messageOf(error)}
            </Text>
          )}
          <Button type="submit" aria-disabled={isPending}>
            Request access
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
