/** The time zone that programs beside the API give to a new campaign. Choice 189. */

/** What such a program asks of the API. */
interface AccountReader {
  account: { read(): Promise<{ timezone: string }> };
}

/** The API's own default is one for all accounts; who may not read the account's gets that one: undefined. */
export async function zoneOfAccount({ account }: AccountReader): Promise<string | undefined> {
  try {
    return (await account.read()).timezone;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'SCOPE_REQUIRED') return undefined;
    throw error;
  }
}
