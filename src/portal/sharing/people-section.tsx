import { ActionIcon, Button, Group, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { type ItemDetailEntry, type SharedPersonEntry, shareWithPeopleRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { referenceOf, referenceText } from "../api/references.ts";
import { shareQuery } from "../api/sharing-queries.ts";
import { messageOf } from "../shared/errors.ts";
import { Initials, localPart } from "../shared/initials.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { splitEmails } from "./emails.ts";
import styles from "./sharing.module.css";

/** The people who can view a report whatever its audience, for those who can change them. */
export function PeopleSection({ item }: { item: ItemDetailEntry }) {
  const query = useQuery(shareQuery(referenceText(item)));
  return (
    <section aria-labelledby="share-people">
      <Text size="sm" fw={500} mb="xs" id="share-people">
        People
      </Text>
      <AddPeople item={item} />
      <Loaded query={query} lines={1}>
        {({ people }) =>
          people.length === 0 ? (
            <Text size="sm" c="dimmed" mt="xs">
              People you add can view this report, but not change it.
            </Text>
          ) : (
            <ul className={styles.people} aria-label="People who can view it">
              {people.map((person) => (
                <PersonLine key={person.email} item={item} person={person} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** Returns a call that changes the people and refetches what shows them. */
function useChange(item: ItemDetailEntry) {
  const queries = useQueryClient();
  return async (change: { add?: string[]; remove?: string[] }) => {
    await api.call(shareWithPeopleRoute, { body: { ...referenceOf(referenceText(item)), ...change } });
    await refreshAbout(queries, item.owner_slug, ["items"]);
  };
}

function AddPeople({ item }: { item: ItemDetailEntry }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const change = useChange(item);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (add: string[]) => change({ add }),
    onSuccess(_, add) {
      setText("");
      const who = add.length === 1 ? add[0] : `${add.length} people`;
      notifySuccess(`Shared with ${who}`, () => change({ remove: add }));
    },
    onSettled: () => field.current?.focus(),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const add = splitEmails(text);
    if (add.length > 0 && !isPending) mutate(add);
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          ref={field}
          aria-label="Email addresses"
          placeholder="Add people by email"
          type="text"
          inputMode="email"
          autoComplete="off"
          flex={1}
          miw={0}
          value={text}
          error={error === null ? undefined : messageOf(error)}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            if (error !== null) reset();
          }}
        />
        <Button
          type="submit"
          variant="default"
          aria-disabled={text.trim() === "" || isPending}
          style={{ flex: "none" }}
        >
          Add
        </Button>
      </Group>
    </form>
  );
}

function PersonLine({ item, person: { email, display_name } }: { item: ItemDetailEntry; person: SharedPersonEntry }) {
  const change = useChange(item);
  const { mutate, isPending } = useMutation({
    mutationFn: () => change({ remove: [email] }),
    onSuccess: () => notifySuccess(`Stopped sharing with ${email}`, () => change({ add: [email] })),
    onError: (error) => notifyError("Couldn't stop sharing", error),
  });
  return (
    <li className={styles.person}>
      <Initials name={display_name ?? localPart(email)} size={28} />
      <span className={styles.who}>
        {display_name !== null && <span className={styles.label}>{display_name}</span>}
        <span className={display_name === null ? styles.label : styles.about}>{email}</span>
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove ${email}`}
        aria-disabled={isPending}
        onClick={() => !isPending && mutate()}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}
