import { Badge, Box, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRef, useState } from "react";
import { LeaveDialog } from "../shared/leave-dialog.tsx";
import { AnchorLink, ButtonLink } from "../shared/link.tsx";
import { Page, Section } from "../shared/page.tsx";
import { roleLabel } from "../shared/roles.ts";
import { Rows } from "../shared/rows.tsx";
import { useAccount, type Workspace } from "../shared/use-account.ts";
import { AccountNav } from "./account-nav.tsx";
import { NewOrganizationForm } from "./new-organization-form.tsx";

/** Lists the user's organizations and creates new ones. */
export function OrganizationsPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  const organizations = useAccount().workspaces.filter(({ kind }) => kind === "org");
  const [left, setLeft] = useState<Workspace>();
  const [isAsking, { open, close }] = useDisclosure();
  return (
    <Page title="Organizations" nav={<AccountNav />}>
      <Section title="Your organizations" headingRef={heading}>
        {organizations.length === 0 ? (
          <Text>You don't belong to an organization yet. Create one below, or ask for an invitation.</Text>
        ) : (
          <Rows label="Your organizations">
            {organizations.map((organization) => (
              <OrganizationRow
                key={organization.slug}
                organization={organization}
                onLeave={() => {
                  setLeft(organization);
                  open();
                }}
              />
            ))}
          </Rows>
        )}
      </Section>
      <Section
        title="New organization"
        description="A workspace that several people publish to. You own it and can invite others. Members can view new reports unless you change that in its settings."
      >
        <NewOrganizationForm />
      </Section>
      <LeaveDialog isOpen={isAsking} organization={left} onClose={close} focusAfter={heading} />
    </Page>
  );
}

function OrganizationRow({ organization, onLeave }: { organization: Workspace; onLeave(): void }) {
  const { slug, display_name, role } = organization;
  const name = display_name ?? slug;
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Box miw={0}>
        <Group gap="xs">
          <AnchorLink to="/w/$owner" params={{ owner: slug }} fw={500}>
            {name}
          </AnchorLink>
          <Badge color="gray">{roleLabel(role)}</Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {slug}
        </Text>
      </Box>
      <Group gap="xs">
        <ButtonLink variant="default" size="sm" to="/w/$owner/members" params={{ owner: slug }}>
          Members<VisuallyHidden> of {name}</VisuallyHidden>
        </ButtonLink>
        <Button variant="subtle" color="red" size="sm" onClick={onLeave}>
          Leave<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      </Group>
    </Group>
  );
}
