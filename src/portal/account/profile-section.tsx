import { Code, Stack } from "@mantine/core";
import { DisplayNameForm } from "../shared/display-name-form.tsx";
import { Fact, Facts } from "../shared/facts.tsx";
import { Section } from "../shared/page.tsx";
import { useAccount } from "../shared/use-account.ts";

export function ProfileSection() {
  const { user } = useAccount();
  return (
    <Section title="Profile">
      <Stack gap="lg">
        <DisplayNameForm
          owner={user.slug}
          name={user.display_name ?? ""}
          description="How others see you."
          autoComplete="name"
        />
        <Facts>
          <Fact name="Email address">{user.email}</Fact>
          <Fact name="Username">
            <Code fz="sm">{user.slug}</Code>
          </Fact>
        </Facts>
      </Stack>
    </Section>
  );
}
