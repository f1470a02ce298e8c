import { Page } from "../shared/page.tsx";
import { AccountNav } from "./account-nav.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

/** Shows the user's profile, password and sessions. */
export function AccountPage() {
  return (
    <Page title="Account" nav={<AccountNav />}>
      <ProfileSection />
      <NotificationsSection />
      <PasswordSection />
      <SessionsSection />
    </Page>
  );
}
