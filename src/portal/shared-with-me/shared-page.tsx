import { Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch, IconUserShare } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SharedItemEntry } from "../../client/routes.ts";
import { sharedQuery } from "../api/sharing-queries.ts";
import { Initials } from "../shared/initials.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { MoreButton } from "../shared/more-button.tsx";
import { Page } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { Notice } from "../shared/states.tsx";
import { Time } from "../shared/time.tsx";
import classes from "./shared.module.css";

/** Milliseconds of silence after which typed text is searched for. */
const TYPING = 250;

/** Lists reports of other people that are shared with the user. */
export function SharedPage() {
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text.trim(), TYPING);
  const query = useInfiniteQuery(sharedQuery(q));
  return (
    <Page title="Shared with me" description="Reports that other people share with you or your organizations.">
      <TextInput
        type="search"
        aria-label="Search what is shared with you"
        placeholder="Search by title or name"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maw={420}
      />
      <Loaded query={query} lines={6}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <Nothing isSearch={q !== ""} />;
          return (
            <Stack>
              <Rows label="Shared reports">
                {items.map((item) => (
                  <SharedLine key={`${item.code} ${item.is_version}`} item={item} />
                ))}
              </Rows>
              <MoreButton query={query} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

const Nothing = ({ isSearch }: { isSearch: boolean }) =>
  isSearch ? (
    <Text c="dimmed">No matching reports.</Text>
  ) : (
    <Notice icon={<IconUserShare />} title="Nothing is shared with you yet">
      Reports appear here when someone shares them with you by email, or with your organization.
    </Notice>
  );

function SharedLine({ item }: { item: SharedItemEntry }) {
  const sharer = item.shared_by?.display_name ?? item.shared_by?.slug ?? item.owner_name ?? item.owner_slug;
  return (
    <li className={classes.line}>
      <Initials name={sharer} size={32} />
      <span className={classes.texts}>
        <a href={item.url} className={classes.title} dir="auto">
          {item.title}
        </a>
        <span className={classes.about}>
          {item.name !== undefined && <>{item.name} · </>}
          {item.is_version && <>one version · </>}
          shared by {sharer} <Time at={item.shared_at} />
        </span>
      </span>
      <span className={classes.when}>
        updated <Time at={item.updated_at} />
      </span>
    </li>
  );
}
