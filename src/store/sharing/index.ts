import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import {
  addGuestLink,
  findGuestLink,
  listGuestLinks,
  listGuestLinksIn,
  removeGuestLink,
  updateGuestLink,
} from "./guest-links.ts";
import {
  addGuestUses,
  clearGuestLinks,
  findGuestAdmission,
  findOpenGuestLink,
  findOpenGuestLinks,
  redeemGuestCode,
  setGuestCode,
} from "./guest-openings.ts";
import { recordGuestLink, recordGuestLinkRevocation, recordGuestLinkUpdate } from "./guest-records.ts";
import { shareItems } from "./items.ts";
import { changePeople, listOrganizationsOf, listPeople } from "./people.ts";
import { recordAcceptance, recordDecline, recordItems, recordPeople, recordRequest } from "./records.ts";
import {
  acceptAccessRequest,
  addAccessRequest,
  declineAccessRequest,
  findAccessRequest,
  listAccessRequests,
  listAnswerers,
} from "./requests.ts";
import { listShared } from "./shared.ts";

export const reads = {
  listPeople,
  listOrganizationsOf,
  listAccessRequests,
  findAccessRequest,
  listAnswerers,
  listGuestLinks,
  listGuestLinksIn,
  findGuestLink,
  findOpenGuestLink,
  findOpenGuestLinks,
  findGuestAdmission,
};
export const longReads = { listShared };
/** Words may have to be compared with everything that is shared. */
export const slowReads = { searchShared: listShared };
export const writes = {
  changePeople,
  shareItems,
  addAccessRequest,
  acceptAccessRequest,
  declineAccessRequest,
  addGuestLink,
  updateGuestLink,
  removeGuestLink,
  addGuestUses,
  setGuestCode,
  redeemGuestCode,
  clearGuestLinks,
};
export const records: Records<typeof writes> = {
  changePeople: recordPeople,
  shareItems: recordItems,
  addAccessRequest: recordRequest,
  acceptAccessRequest: recordAcceptance,
  declineAccessRequest: recordDecline,
  addGuestLink: recordGuestLink,
  updateGuestLink: recordGuestLinkUpdate,
  removeGuestLink: recordGuestLinkRevocation,
  addGuestUses: unrecorded("It only says how often links were opened."),
  setGuestCode: unrecorded("A one-time code changes nothing until someone uses it."),
  redeemGuestCode: unrecorded("Guests who open a link are counted with the link."),
  clearGuestLinks: unrecorded("It removes only links that can't open anything."),
};

export const tables: readonly MovedTable[] = [
  { name: "shared_people", key: ["id"], pointsTo: ["items", "versions", "users"] },
  { name: "access_requests", key: ["id"], pointsTo: ["items", "versions", "users"] },
  { name: "guest_links", key: ["id"], pointsTo: ["users"] },
  { name: "guest_codes", key: ["link_id", "email_hash"], pointsTo: ["guest_links"] },
];
