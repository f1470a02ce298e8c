import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type GuestLinkEntry, type ItemDetailEntry, revokeGuestLinkRoute } from "../../client/routes.ts";
import { referenceText } from "../api/references.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { ErrorState } from "../shared/states.tsx";
import { GuestLinkCreated, type NewGuestLink } from "./guest-link-created.tsx";
import { GuestLinkRow } from "./guest-link-row.tsx";
import { guestLinksQuery, useGuestCall } from "./guest-queries.ts";
import { NewGuestLinkForm } from "./new-guest-link-form.tsx";
import styles from "./sharing.module.css";

type Step = { kind: "list" } | { kind: "form" } | { kind: "created"; link: NewGuestLink };

/** Lists the links with which people without an account read a report, and creates more. */
export function GuestLinks({ item }: { item: ItemDetailEntry }) {
  const reference = referenceText(item);
  const { data, error, refetch } = useQuery(guestLinksQuery(reference));
  const [step, setStep] = useState<Step>({ kind: "list" });
  const place = useRef<HTMLElement>(null);
  const back = () => {
    setStep({ kind: "list" });
    place.current?.focus();
  };
  return (
    <section ref={place} tabIndex={-1} aria-labelledby="guest-links" className={styles.part}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <div>
          <Text size="sm" fw={500} id="guest-links">
            Guest links
          </Text>
          <Text size="sm" c="dimmed">
            For people without an account. They work for private reports, too.
          </Text>
        </div>
        {step.kind === "list" && data !== undefined && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setStep({ kind: "form" })}
            style={{ flex: "none" }}
          >
            New link
          </Button>
        )}
      </Group>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton height={44} />}
      {step.kind === "form" && (
        <NewGuestLinkForm
          item={item}
          canMail={data?.can_mail ?? false}
          onCreated={(link) => setStep({ kind: "created", link })}
          onCancel={back}
        />
      )}
      {step.kind === "created" && <GuestLinkCreated link={step.link} title={item.title} onDone={back} />}
      {data !== undefined && step.kind !== "form" && <Links links={data.links} reference={reference} />}
    </section>
  );
}

function Links({ links, reference }: { links: readonly GuestLinkEntry[]; reference: string }) {
  const place = useRef<HTMLUListElement>(null);
  const [revoked, setRevoked] = useState<GuestLinkEntry>();
  const [isAsking, setAsking] = useState(false);
  const revoking = useGuestCall(revokeGuestLinkRoute, reference);
  async function revoke(): Promise<void> {
    if (revoked === undefined) return;
    await revoking.mutateAsync({ id: revoked.id });
    notifySuccess("Guest link revoked");
  }
  return (
    <Stack gap={0}>
      {links.length > 0 && (
        <ul ref={place} tabIndex={-1} aria-labelledby="guest-links" className={styles.guests}>
          {links.map((link) => (
            <GuestLinkRow
              key={link.id}
              link={link}
              reference={reference}
              onRevoke={() => {
                setRevoked(link);
                setAsking(true);
              }}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={revoked?.label ? `Revoke the guest link “${revoked.label}”?` : "Revoke this guest link?"}
        action="Revoke"
        onConfirm={revoke}
        onClose={() => setAsking(false)}
        focusAfter={place}
      >
        It stops working immediately, also for guests who have it open. This can't be undone.
      </ConfirmDialog>
    </Stack>
  );
}
