import type { MovedTable } from "../engine/moving/tables.ts";
import type { Records } from "../model/records.ts";
import { changePeople, listOrganizationsOf, listPeople } from "./people.ts";
import { recordAcceptance, recordDecline, recordPeople, recordRequest } from "./records.ts";
import {
  acceptAccessRequest,
  addAccessRequest,
  declineAccessRequest,
  findAccessRequest,
  listAccessRequests,
  listAnswerers,
} from "./requests.ts";
import { listShared } from "./shared.ts";

export const reads = { listPeople, listOrganizationsOf, listAccessRequests, findAccessRequest, listAnswerers };
export const longReads = { listShared };
/** Words may have to be compared with everything that is shared. */
export const slowReads = { searchShared: listShared };
export const writes = { changePeople, addAccessRequest, acceptAccessRequest, declineAccessRequest };
export const records: Records<typeof writes> = {
  changePeople: recordPeople,
  addAccessRequest: recordRequest,
  acceptAccessRequest: recordAcceptance,
  declineAccessRequest: recordDecline,
};

export const tables: readonly MovedTable[] = [
  { name: "shared_people", key: ["id"], pointsTo: ["items", "versions", "users"] },
  { name: "access_requests", key: ["id"], pointsTo: ["items", "versions", "users"] },
];
