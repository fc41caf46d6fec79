/** Names and addresses of the network that booted servers live in. */

/** The world's own end of every server's link: router, resolver and certificate authority. */
export const ROUTER = '198.19.255.254';

/** The range of the world's addresses (RFC 2544), on one link for each server. */
export const WORLD_RANGE = '198.18.0.0/15';
export const WORLD_PREFIX = 15;

/** pebble, Debian's ACME authority, under a name of its own. */
export const ACME_NAME = 'acme.sandbox.test';
export const ACME_PORT = 14_000;
export const ACME_MANAGEMENT_PORT = 15_000;
export const ACME_DIRECTORY_URL = `https://${ACME_NAME}:${ACME_PORT}/dir`;

/** Ports of a server that the world outside may reach: SSH, SMTP, ACME HTTP-01, MTA-STS, submission, IMAP. */
export const SERVER_PORTS = [22, 25, 80, 443, 465, 993];

/** Ports on which servers reach the rest of the world: exchangers, resolver, websites, smarthost. */
export const WORLD_PORTS = [25, 53, 80, 443, 587];
