import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import { addClient, findClient } from "./clients.ts";
import { addDevice, answerDevice, findDevice, pollDevice } from "./devices.ts";
import { addGrant, findGrantOfToken, findSecret, issue, listConnections, removeGrant } from "./grants.ts";
import { recordDecline, recordGrant, recordGrantRemoval, recordPoll, recordRegistration } from "./records.ts";

export const reads = { findClient, findSecret, listConnections, findGrantOfToken, findDevice };
export const writes = { addClient, addGrant, issue, removeGrant, addDevice, answerDevice, pollDevice };
export const records: Records<typeof writes> = {
  addClient: recordRegistration,
  addGrant: recordGrant,
  issue: unrecorded("It renews the access token of a recorded grant."),
  removeGrant: recordGrantRemoval,
  addDevice: unrecorded("A device code changes nothing until someone approves it."),
  answerDevice: recordDecline,
  pollDevice: recordPoll,
};

export const tables: readonly MovedTable[] = [
  { name: "oauth_clients", key: ["id"] },
  { name: "oauth_grants", key: ["id"], pointsTo: ["users", "workspaces"] },
  { name: "oauth_secrets", key: ["hash"], pointsTo: ["oauth_grants"] },
  { name: "oauth_devices", key: ["hash"], pointsTo: ["users", "workspaces"] },
];
