/** The account: who sends, and the prepaid wallet. */
import { z } from 'zod';
import { DOMAIN_PRICE_CENTS, SERVER_PRICE_CENTS } from '../../domain/wallet/prices.ts';
import { MODES } from '../../domain/accounts/modes.ts';
import { READS, SETS, tool, WRITES } from '../tool.ts';

const accountSchema = z.object({
  email: z.string(),
  mode: z.enum(MODES).describe('test: nothing is real, nothing costs money'),
  senderName: z.string().nullable().describe('Who messages are from; a campaign needs it'),
  postalAddress: z.string().nullable().describe('In the footer of messages; a campaign needs it'),
  timezone: z.string(),
});

const getAccount = tool({
  name: 'get_account',
  title: 'Read the account',
  description:
    'Says whether this is live or test mode, and who messages are from: sender name, postal address, time zone.',
  annotations: READS,
  input: z.strictObject({}),
  output: accountSchema,
  run: (_input, { outreach }) => outreach.account.read(),
});

const updateAccount = tool({
  name: 'update_account',
  title: 'Set who messages are from',
  description: 'Sets the sender name, postal address or time zone. Fields left out stay.',
  annotations: SETS,
  input: z.strictObject({
    senderName: z.string().min(1).max(200).optional(),
    postalAddress: z.string().min(1).max(500).optional(),
    timezone: z.string().optional().describe('IANA name, such as Europe/Berlin'),
  }),
  output: accountSchema,
  run: (body, { outreach }) => outreach.account.update({ body }),
});

const getWallet = tool({
  name: 'get_wallet',
  title: 'Read the wallet',
  description: 'The prepaid balance, what things cost, and the last transactions. US cents.',
  annotations: READS,
  input: z.strictObject({
    transactions: z.int().min(0).max(50).default(5).describe('How many of the last ones'),
  }),
  output: z.object({
    balanceCents: z.int(),
    heldCents: z.int().describe('Set aside for work that goes on'),
    availableCents: z.int(),
    owedCents: z.int(),
    prices: z.object({ domainCents: z.int(), serverCents: z.int() }),
    transactions: z.array(
      z.object({
        type: z.string(),
        amountCents: z.int(),
        description: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
  async run({ transactions: limit }, { outreach }) {
    const wallet = await outreach.wallet.read();
    const last = limit === 0 ? [] : (await outreach.wallet.listTransactions({ limit })).items;
    return { ...wallet, prices, transactions: last };
  },
});

const prices = { domainCents: DOMAIN_PRICE_CENTS, serverCents: SERVER_PRICE_CENTS };

const fundWallet = tool({
  name: 'fund_wallet',
  title: 'Open a checkout page',
  description:
    'Opens a page on which a person pays into the wallet. Moves no money by itself: give the user the URL, then wait_for the checkout.',
  annotations: { ...WRITES, openWorldHint: true },
  input: z.strictObject({ amountCents: z.int().min(100).describe('1000 is $10.00') }),
  output: z.object({
    checkoutUrl: z.string().describe('For the user to pay'),
    sessionId: z.string().describe('For wait_for, as id of a `checkout`'),
    balanceCents: z.int().describe('Before the payment'),
  }),
  async run({ amountCents }, { outreach }) {
    const session = await outreach.wallet.fund({ body: { amountCents } });
    const { balanceCents } = await outreach.wallet.read();
    return { ...session, balanceCents };
  },
});

export const walletTools = [getAccount, updateAccount, getWallet, fundWallet];
