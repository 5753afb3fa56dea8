/** Why an account is signed out after a renewal, as it is shown. */

export const cutOff = 'an earlier renewal was cut off before its answer could be stored'
export const deadGrant = 'its vendor no longer accepts its refresh token'
export const deadWords: Readonly<Record<string, string>> = {
  refresh_token_reused:
    'its refresh token was already used, probably by another program that holds a copy of this login',
  refresh_token_expired: 'its sign-in is too old',
  refresh_token_invalidated: 'its sign-in was ended by the vendor or in the account’s settings',
}
