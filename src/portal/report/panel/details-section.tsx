import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { reportQuery } from "../../api/queries.ts";
import { describeBytes, describeCount } from "../../shared/amounts.ts";
import { AnchorLink } from "../../shared/link.tsx";
import { Time } from "../../shared/time.tsx";
import { useReportAddress } from "../address.ts";
import { FolderField } from "../filing/folder-field.tsx";
import { TagsField } from "../filing/tags-field.tsx";
import { ProblemsButton } from "../problems/problems-button.tsx";
import { StorageField } from "../problems/storage-field.tsx";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import { useCompact } from "../use-width.ts";
import classes from "./panel.module.css";
import { Section } from "./section.tsx";

/** Where the report is filed, and facts about the version that is shown. */
export function DetailsSection({ item }: { item: Item }) {
  const { reference, search } = useReportAddress();
  // Elsewhere they are counted in the bar.
  const isCompact = useCompact();
  const { data: report, isError } = useQuery(reportQuery(useShownCode(item)));
  return (
    <Section title="Details">
      <dl className={classes.facts}>
        <Fact name="Folder">
          <FolderField item={item} />
        </Fact>
        <Fact name="Tags">
          <TagsField item={item} />
        </Fact>
        {item.name !== undefined && <Fact name="Name">{item.name}</Fact>}
        <Fact name="Created">
          <Time at={item.created_at} />
        </Fact>
        <Fact name="Updated">
          <Time at={item.updated_at} />
        </Fact>
        {(report !== undefined || !isError) && (
          <Fact name="Size">
            {report === undefined ? (
              "…"
            ) : (
              <>
                {describeBytes(report.size)},{" "}
                <AnchorLink
                  to="/r/$reference"
                  params={{ reference }}
                  search={{ ...search, tab: "files" }}
                  size="sm"
                  underline="always"
                >
                  {describeCount(report.files.length, "file")}
                </AnchorLink>
              </>
            )}
          </Fact>
        )}
        <Fact name="Browser storage">
          <StorageField item={item} />
        </Fact>
        {isCompact && report !== undefined && report.warnings.length > 0 && (
          <Fact name="Warnings">
            <ProblemsButton report={report} />
          </Fact>
        )}
      </dl>
    </Section>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <Text component="dd" size="sm">
      {children}
    </Text>
  </>
);
