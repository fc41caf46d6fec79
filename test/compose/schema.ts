/** The part of the Compose specification that docker-compose.yml uses; what is not named here is refused. */

const strings = { type: 'array', items: { type: 'string' } };
const duration = { type: 'string', pattern: String.raw`^\d+(ms|s|m)$` };
const size = { type: 'string', pattern: String.raw`^\d+[mMgG]$` };

const healthcheck = {
  type: 'object',
  required: ['test', 'interval', 'timeout', 'retries'],
  additionalProperties: false,
  properties: {
    test: {
      type: 'array',
      minItems: 2,
      prefixItems: [{ enum: ['CMD', 'CMD-SHELL'] }],
      items: { type: 'string' },
    },
    interval: duration,
    timeout: duration,
    start_period: duration,
    retries: { type: 'integer' },
  },
};

const dependsOn = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['condition'],
    additionalProperties: false,
    properties: {
      condition: {
        enum: ['service_started', 'service_healthy', 'service_completed_successfully'],
      },
      required: { type: 'boolean' },
    },
  },
};

const deploy = {
  type: 'object',
  additionalProperties: false,
  properties: {
    resources: {
      type: 'object',
      additionalProperties: false,
      properties: {
        limits: {
          type: 'object',
          required: ['cpus', 'memory', 'pids'],
          additionalProperties: false,
          properties: { cpus: { type: 'string' }, memory: size, pids: { type: 'integer' } },
        },
      },
    },
  },
};

const logging = {
  type: 'object',
  additionalProperties: false,
  properties: {
    driver: { type: 'string' },
    options: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const build = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      additionalProperties: false,
      properties: { context: { type: 'string' }, target: { type: 'string' } },
    },
  ],
};

const service = {
  type: 'object',
  required: ['image', 'restart'],
  additionalProperties: false,
  properties: {
    image: {
      type: 'string',
      pattern: String.raw`^([a-z0-9./-]+:[A-Za-z0-9._-]+|\$\{OUTREACH_IMAGE:-outreach:local\})$`,
    },
    build,
    restart: { enum: ['unless-stopped', 'on-failure', 'no'] },
    command: strings,
    entrypoint: strings,
    env_file: { type: 'string' },
    environment: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    ports: {
      type: 'array',
      items: {
        type: 'string',
        pattern: String.raw`^((127\.0\.0\.1|\$\{OUTREACH_API_BIND:-0\.0\.0\.0\}):)?\d+:\d+$`,
      },
    },
    volumes: {
      type: 'array',
      items: {
        type: 'string',
        pattern: String.raw`^([a-z]+:/[a-z/]+(:ro)?|\./[\w./-]+:/[\w./-]+:ro)$`,
      },
    },
    healthcheck,
    depends_on: dependsOn,
    deploy,
    logging,
    init: { type: 'boolean' },
    read_only: { type: 'boolean' },
    cap_drop: strings,
    security_opt: strings,
    tmpfs: strings,
    user: { type: 'string' },
    shm_size: size,
    stop_grace_period: duration,
    profiles: strings,
    network_mode: { type: 'string' },
    networks: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: { ipv4_address: { type: 'string' } },
      },
    },
  },
};

const network = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ipam: {
      type: 'object',
      additionalProperties: false,
      properties: {
        config: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            properties: { subnet: { type: 'string' }, ip_range: { type: 'string' } },
          },
        },
      },
    },
  },
};

/** JSON Schema 2020-12 of the whole file. */
export const composeSchema = {
  type: 'object',
  required: ['services', 'volumes'],
  patternProperties: { '^x-': {} },
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    volumes: { type: 'object', additionalProperties: { type: ['object', 'null'] } },
    networks: { type: 'object', additionalProperties: network },
    services: { type: 'object', additionalProperties: service },
  },
};
