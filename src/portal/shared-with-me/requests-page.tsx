import { Button, VisuallyHidden } from "@mantine/core";
import { IconUserQuestion } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type AccessRequestEntry,
  acceptRequestRoute,
  declineRequestRoute,
  shareWithPeopleRoute,
} from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";
import { requestsQuery } from "../api/sharing-queries.ts";
import { Initials } from "../shared/initials.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { Page } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { Notice } from "../shared/states.tsx";
import { Time } from "../shared/time.tsx";
import classes from "./shared.module.css";

/** Lists requests for access to reports that the user can share. */
export function RequestsPage() {
  return (
    <Page title="Requests" description="People who ask to read your reports.">
      <Loaded query={useQuery(requestsQuery())} lines={4}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Notice icon={<IconUserQuestion />} title="No open requests">
              When someone asks for access to one of your reports, you can answer here.
            </Notice>
          ) : (
            <Rows label="Requests for access">
              {requests.map((request) => (
                <RequestLine key={request.id} request={request} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Page>
  );
}

function RequestLine({ request }: { request: AccessRequestEntry }) {
  const queries = useQueryClient();
  const { id, email, display_name, message, title, created_at, is_version } = request;
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: requestsQuery().queryKey }),
      queries.invalidateQueries({ queryKey: keys.reports }),
    ]);
  const withdraw = async () => {
    const subject = request.name === undefined || is_version ? { code: request.code } : { name: request.name };
    await api.call(shareWithPeopleRoute, { body: { ...subject, remove: [email] } });
    await refresh();
  };
  const accept = useMutation({
    mutationFn: () => api.call(acceptRequestRoute, { body: { id } }),
    onSuccess: async () => {
      await refresh();
      notifySuccess(`Shared “${title}” with ${email}`, withdraw);
    },
    onError: (error) => notifyError("Couldn't accept the request", error),
  });
  const decline = useMutation({
    mutationFn: () => api.call(declineRequestRoute, { body: { id } }),
    onSuccess: async () => {
      await refresh();
      notifySuccess(`Declined the request of ${email}`);
    },
    onError: (error) => notifyError("Couldn't decline the request", error),
  });
  const isBusy = accept.isPending || decline.isPending;
  return (
    <li className={classes.request}>
      <Initials name={display_name ?? email} size={32} />
      <div>
        <div>
          <strong>{email}</strong> asks to read {is_version && "a version of "}“<span dir="auto">{title}</span>”
        </div>
        <div className={classes.about}>
          {display_name !== null && <>{display_name} · </>}
          <Time at={created_at} />
        </div>
        {message !== null && (
          <p className={classes.message} dir="auto">
            {message}
          </p>
        )}
      </div>
      <span className={classes.answers}>
        <Button size="sm" aria-disabled={isBusy} onClick={() => !isBusy && accept.mutate()}>
          Accept<VisuallyHidden> the request of {email}</VisuallyHidden>
        </Button>
        <Button size="sm" variant="default" aria-disabled={isBusy} onClick={() => !isBusy && decline.mutate()}>
          Decline<VisuallyHidden> the request of {email}</VisuallyHidden>
        </Button>
      </span>
    </li>
  );
}
