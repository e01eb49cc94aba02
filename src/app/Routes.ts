import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LocalAccountServices } from "../core/accounts/LocalAccountServices.ts"
import { LocalUsers } from "../core/accounts/LocalUsers.ts"
import { AccountPages } from "../doors/account/AccountPages.ts"
import { ApiKeyPages } from "../doors/account/ApiKeyPages.ts"
import { ApiKeysHandlers } from "../doors/account/ApiKeysHandlers.ts"
import { ClosingPages } from "../doors/account/ClosingPages.ts"
import { EmailChangePages } from "../doors/account/EmailChangePages.ts"
import { InvitationPages } from "../doors/account/InvitationPages.ts"
import { PasswordPages } from "../doors/account/PasswordPages.ts"
import { PasswordResetPages } from "../doors/account/PasswordResetPages.ts"
import { ProfilePages } from "../doors/account/ProfilePages.ts"
import { SessionPages } from "../doors/account/SessionPages.ts"
import { SetupPages } from "../doors/account/SetupPages.ts"
import { AuthorizationPages } from "../doors/consent/AuthorizationPages.ts"
import { ConnectionsPages } from "../doors/consent/ConnectionsPages.ts"
import { LogoRoutes } from "../doors/consent/LogoRoutes.ts"
import { ReportPages } from "../doors/consent/ReportPages.ts"
import { signInContextLayer } from "../doors/consent/SignInContextLayer.ts"
import { TestInvitationsPages } from "../doors/consent/TestInvitationsPages.ts"
import { WaitingPages } from "../doors/consent/WaitingPages.ts"
import { HandledApi } from "../doors/contract/Api.ts"
import { DocsPages } from "../doors/docs/DocsPages.ts"
import { ScopeMapPages } from "../doors/docs/ScopeMapPages.ts"
import { HomePages } from "../doors/home/HomePages.ts"
import { WhatNextPages } from "../doors/home/WhatNextPages.ts"
import { signInWays } from "../doors/identity/SignInWays.ts"
import { LeakRoutes } from "../doors/leaks/LeakRoutes.ts"
import { ConsentPreviewPages } from "../doors/looks/ConsentPreviewPages.ts"
import { LooksPages } from "../doors/looks/LooksPages.ts"
import { MetadataRoutes } from "../doors/oauth/MetadataRoutes.ts"
import { RegistrationRoutes } from "../doors/oauth/registration/RegistrationRoutes.ts"
import { TokenRoutes } from "../doors/oauth/TokenRoutes.ts"
import { PlaygroundPages } from "../doors/playground/PlaygroundPages.ts"
import { ActivityPages } from "../doors/portal/ActivityPages.ts"
import { AppListPages } from "../doors/portal/AppListPages.ts"
import { ClientsHandlers } from "../doors/portal/ClientsHandlers.ts"
import { CredentialsPages } from "../doors/portal/CredentialsPages.ts"
import { EventsHandlers } from "../doors/portal/EventsHandlers.ts"
import { EventsPages } from "../doors/portal/EventsPages.ts"
import { LackingPages } from "../doors/portal/LackingPages.ts"
import { MigrationHandlers } from "../doors/portal/MigrationHandlers.ts"
import { MigrationPages } from "../doors/portal/MigrationPages.ts"
import { OverviewPages } from "../doors/portal/OverviewPages.ts"
import { OwnersHandlers } from "../doors/portal/OwnersHandlers.ts"
import { OwnersPages } from "../doors/portal/OwnersPages.ts"
import { RegisterPages } from "../doors/portal/RegisterPages.ts"
import { ScopesPages } from "../doors/portal/ScopesPages.ts"
import { SettingsPages } from "../doors/portal/SettingsPages.ts"
import { TestAppsHandlers } from "../doors/portal/TestAppsHandlers.ts"
import { TestPages } from "../doors/portal/TestPages.ts"
import { InitialTokensHandlers } from "../doors/registration/InitialTokensHandlers.ts"
import { CatalogueRoute } from "../doors/resource/CatalogueRoute.ts"
import { GatewayRoutes } from "../doors/resource/GatewayRoutes.ts"
import { MeRoute } from "../doors/resource/MeRoute.ts"
import { ResourceGatewayRoutes } from "../doors/resource/ResourceGatewayRoutes.ts"
import { ResourceRoutes } from "../doors/resource/ResourceRoutes.ts"
import { ResourceCredentialsPages } from "../doors/resources/ResourceCredentialsPages.ts"
import { ResourcesHandlers } from "../doors/resources/ResourcesHandlers.ts"
import { ResourcesPages } from "../doors/resources/ResourcesPages.ts"
import { DeskHandlers } from "../doors/review/DeskHandlers.ts"
import { MigrationBoardHandlers } from "../doors/review/MigrationBoardHandlers.ts"
import { MigrationBoardPages } from "../doors/review/MigrationBoardPages.ts"
import { QueuePages } from "../doors/review/QueuePages.ts"
import { ReferencePages } from "../doors/review/ReferencePages.ts"
import { RefusedRequestsHandlers } from "../doors/review/RefusedRequestsHandlers.ts"
import { ReviewHandlers } from "../doors/review/ReviewHandlers.ts"
import { ReviewPages } from "../doors/review/ReviewPages.ts"
import { TestAppsPages } from "../doors/review/TestAppsPages.ts"
import { TrustedHostsHandlers } from "../doors/review/TrustedHostsHandlers.ts"
import { TrustedHostsPages } from "../doors/review/TrustedHostsPages.ts"
import { UnusedPages } from "../doors/review/UnusedPages.ts"
import { authenticatedLayer, requireAdminLayer, requireReviewerLayer } from "../doors/session/Authentication.ts"
import { ContinuePages } from "../doors/session/ContinuePages.ts"
import { currentViewerLayer } from "../doors/session/CurrentViewerLayer.ts"
import { SignInPages } from "../doors/session/SignInPages.ts"
import { IdentitiesHandlers } from "../doors/users/IdentitiesHandlers.ts"
import { InvitationsPages } from "../doors/users/InvitationsPages.ts"
import { UsersElsewhere } from "../doors/users/UsersElsewhere.ts"
import { UsersHandlers } from "../doors/users/UsersHandlers.ts"
import { UsersPages } from "../doors/users/UsersPages.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { jsonInputLayer } from "../foundation/http/JsonInputLayer.ts"
import { RouteMethods } from "../foundation/http/RouteMethods.ts"
import { AssetRoutes } from "../foundation/web/Assets.ts"
import { ErrorBoundary, RouteBoundary } from "../foundation/web/ErrorBoundary.ts"
import { OneIdentitySource } from "./OneIdentitySource.ts"

/** Users by API: those that this server keeps, or the answer that others keep them. */
const UsersApi = LocalUsers.choose(
  Layer.merge(IdentitiesHandlers, UsersHandlers).pipe(Layer.provide(LocalAccountServices)),
  UsersElsewhere
)

/** Management API, read and written by the schemas of its contract. */
const ManagementApi = HttpApiBuilder.layer(HandledApi).pipe(
  Layer.provide([
    ApiKeysHandlers,
    ClientsHandlers,
    EventsHandlers,
    InitialTokensHandlers,
    MigrationBoardHandlers,
    MigrationHandlers,
    OwnersHandlers,
    RefusedRequestsHandlers,
    ResourcesHandlers,
    ReviewHandlers,
    DeskHandlers,
    TestAppsHandlers,
    TrustedHostsHandlers,
    UsersApi
  ]),
  Layer.provide([authenticatedLayer, requireAdminLayer, requireReviewerLayer, jsonInputLayer])
)

/** Routes that apps and gateways call most. Plain routes cost less than the builder's (docs/decisions/speed.md). */
const ProtocolRoutes = Layer.mergeAll(
  CatalogueRoute,
  GatewayRoutes,
  LeakRoutes,
  MeRoute,
  MetadataRoutes,
  RegistrationRoutes,
  ResourceGatewayRoutes,
  ResourceRoutes,
  TokenRoutes
)

/** Pages of users who have a password here. */
const PasswordAccountPages = Layer.mergeAll(
  ClosingPages,
  EmailChangePages,
  InvitationPages,
  InvitationsPages,
  PasswordPages,
  PasswordResetPages,
  SetupPages
)

/** Pages of a server that keeps the accounts of its users; other users have theirs at their platform. */
const LocalPages = Layer.unwrap(
  Effect.map(AppConfig, ({ signIn }) => signIn.has("local") ? PasswordAccountPages : Layer.empty)
).pipe(Layer.merge(Layer.merge(ProfilePages, UsersPages)), Layer.provide(LocalAccountServices))

/** Pages of an app for its owner, one for each tab. */
const AppPages = Layer.mergeAll(
  ActivityPages,
  CredentialsPages,
  LackingPages,
  OverviewPages,
  OwnersPages,
  ScopesPages,
  SettingsPages
)

/** Web application, a line for each controller. */
const Pages = Layer.mergeAll(
  AccountPages,
  ApiKeyPages,
  AppListPages,
  AppPages,
  EventsPages,
  AssetRoutes,
  AuthorizationPages,
  ConnectionsPages,
  ConsentPreviewPages,
  ContinuePages,
  DocsPages,
  LocalUsers.choose(LocalPages, Layer.empty),
  LogoRoutes,
  LooksPages,
  MigrationBoardPages,
  MigrationPages,
  PlaygroundPages,
  ReferencePages,
  RegisterPages,
  ReportPages,
  ResourceCredentialsPages,
  ResourcesPages,
  QueuePages,
  ReviewPages,
  ScopeMapPages,
  SessionPages,
  SignInPages,
  TestAppsPages,
  TestInvitationsPages,
  TestPages,
  TrustedHostsPages,
  UnusedPages,
  WaitingPages,
  WhatNextPages
).pipe(Layer.provide([signInContextLayer, signInWays]))

const AllButFrontPage = Layer.mergeAll(ManagementApi, OneIdentitySource, Pages, ProtocolRoutes)

/** Everything that the server answers, whatever the address. */
export const Routes = Layer.mergeAll(ErrorBoundary, HomePages, AllButFrontPage).pipe(
  Layer.provide([currentViewerLayer, RouteMethods.layer])
)

/** Same for a program with routes of its own, which it leaves alone. That program has a front page, too. */
export const EmbeddedRoutes = AllButFrontPage.pipe(
  Layer.provide(RouteBoundary),
  Layer.provide([currentViewerLayer, RouteMethods.layer])
)
