CREATE FUNCTION public.read_grants_ahead(ids uuid[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET enable_indexscan TO 'off'
    SET enable_seqscan TO 'off'
    SET effective_io_concurrency TO '64'
    AS $$ BEGIN
      PERFORM count(generation) FROM grants WHERE id = ANY(ids);
      RETURN true;
    END $$;
CREATE TABLE public.accounts (
    id text NOT NULL,
    email text NOT NULL,
    username text NOT NULL,
    name text NOT NULL,
    password_hash text,
    role text NOT NULL,
    avatar_url text,
    bio text,
    time_format integer DEFAULT 12 NOT NULL,
    default_schedule_id integer,
    week_start text DEFAULT 'Sunday'::text NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    locale text DEFAULT 'en'::text NOT NULL,
    organization_id integer,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    linked boolean DEFAULT false NOT NULL,
    role_here text DEFAULT 'user'::text NOT NULL,
    role_until timestamp with time zone,
    email_verified boolean,
    CONSTRAINT accounts_time_format_check CHECK ((time_format = ANY (ARRAY[12, 24])))
);
CREATE TABLE public.api_keys (
    id text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    expires_at timestamp with time zone,
    warned_at timestamp with time zone
);
CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    client_id text,
    user_id text,
    grant_id uuid,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.authorization_requests (
    id text NOT NULL,
    session_digest bytea NOT NULL,
    client_id text NOT NULL,
    redirect_uri text NOT NULL,
    scopes text[],
    state text,
    code_challenge text,
    expires_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.client_changes (
    client_id text NOT NULL,
    name text NOT NULL,
    website text NOT NULL,
    logo_url text,
    redirect_uris text[] NOT NULL,
    scopes text[] NOT NULL,
    rejection_reason text,
    submitted_at timestamp with time zone NOT NULL,
    logo_digest text,
    CONSTRAINT client_changes_redirect_uris_check CHECK (((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 10)))
);
CREATE TABLE public.client_secrets (
    id text NOT NULL,
    client_id text NOT NULL,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    guessable boolean DEFAULT false NOT NULL,
    foreign_digest text
);
CREATE TABLE public.clients (
    id text NOT NULL,
    owner_id text NOT NULL,
    kind text NOT NULL,
    legacy boolean DEFAULT false NOT NULL,
    status text NOT NULL,
    name text NOT NULL,
    purpose text NOT NULL,
    website text NOT NULL,
    logo_url text,
    redirect_uris text[] NOT NULL,
    scopes text[] NOT NULL,
    rejection_reason text,
    submitted_at timestamp with time zone NOT NULL,
    reviewed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    migrated_at timestamp with time zone,
    refresh_grace text DEFAULT 'until-used'::text NOT NULL,
    scope_words text[] DEFAULT '{}'::text[] NOT NULL,
    observed_since timestamp with time zone DEFAULT now() NOT NULL,
    logo_digest text,
    CONSTRAINT clients_check CHECK ((legacy OR (cardinality(scopes) > 0))),
    CONSTRAINT clients_kind_check CHECK ((kind = ANY (ARRAY['confidential'::text, 'public'::text]))),
    CONSTRAINT clients_redirect_uris_check CHECK (((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 10))),
    CONSTRAINT clients_refresh_grace_check CHECK ((refresh_grace = ANY (ARRAY['until-used'::text, 'short'::text]))),
    CONSTRAINT clients_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'suspended'::text])))
);
CREATE TABLE public.codes (
    digest bytea NOT NULL,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text[],
    redirect_uri text NOT NULL,
    code_challenge text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    grant_id uuid
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0');
CREATE TABLE public.continuations (
    id text NOT NULL,
    location text NOT NULL,
    user_id text,
    action text,
    fields jsonb,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT continuations_check CHECK ((((user_id IS NULL) = (action IS NULL)) AND ((action IS NULL) = (fields IS NULL))))
);
CREATE TABLE public.deliveries (
    outbox_id bigint NOT NULL,
    recipient text NOT NULL,
    delivered_at timestamp with time zone NOT NULL
);
CREATE TABLE public.end_warnings (
    client_id text NOT NULL,
    warned_at timestamp with time zone NOT NULL
);
CREATE TABLE public.grants (
    id uuid NOT NULL,
    handle_digest bytea NOT NULL,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text[],
    generation integer DEFAULT 0 NOT NULL,
    rotated_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    revocation_reason text,
    used_generation integer DEFAULT 0 NOT NULL,
    imported_rotates boolean,
    idle_days integer,
    window_generation integer,
    window_began_at timestamp with time zone,
    earlier_generation integer,
    earlier_began_at timestamp with time zone,
    repeated_generation integer,
    issued_at timestamp with time zone
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.02');
CREATE TABLE public.identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    account_id text NOT NULL,
    removed_at timestamp with time zone
);
CREATE TABLE public.imported_refresh_tokens (
    digest bytea NOT NULL,
    client_id text NOT NULL,
    grant_id uuid NOT NULL
);
CREATE TABLE public.legacy_authorizations (
    client_id text NOT NULL,
    day date NOT NULL,
    scope text NOT NULL,
    requests bigint NOT NULL,
    last_at timestamp with time zone NOT NULL
);
CREATE TABLE public.legacy_refusals (
    client_id text NOT NULL,
    migrated_at timestamp with time zone NOT NULL,
    requests bigint NOT NULL,
    last_at timestamp with time zone NOT NULL,
    refused_scopes bigint DEFAULT 0 NOT NULL,
    refused_calls bigint DEFAULT 0 NOT NULL,
    superseded_grants bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.logo_failures (
    client_id text NOT NULL,
    logo_url text NOT NULL,
    reason text NOT NULL,
    attempts integer NOT NULL,
    retry_at timestamp with time zone
);
CREATE TABLE public.logos (
    digest text NOT NULL,
    client_id text NOT NULL,
    picture bytea NOT NULL,
    CONSTRAINT logos_picture_check CHECK ((octet_length(picture) <= 102400))
);
CREATE TABLE public.mailed_link_tokens (
    digest bytea NOT NULL,
    link_id text NOT NULL
);
CREATE TABLE public.mailed_links (
    id text NOT NULL,
    purpose text NOT NULL,
    account_id text,
    email text NOT NULL,
    role text,
    invited_by text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.migration_audits (
    id bigint NOT NULL,
    client_id text NOT NULL,
    job text NOT NULL,
    at timestamp with time zone NOT NULL,
    days integer NOT NULL,
    unscoped_requests bigint NOT NULL,
    scoped_requests bigint NOT NULL,
    last_unscoped_at timestamp with time zone,
    scopes text[] NOT NULL,
    unscoped_grants bigint NOT NULL,
    verdict text NOT NULL
);
ALTER TABLE public.migration_audits ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.migration_audits_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.migration_mails (
    client_id text NOT NULL,
    asked_at timestamp with time zone NOT NULL
);
CREATE TABLE public.migration_standings (
    client_id text NOT NULL,
    verdict text NOT NULL,
    unscoped_requests bigint NOT NULL,
    unscoped_grants bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.name_skeletons (
    client_id text NOT NULL,
    name text NOT NULL,
    skeletons text[] NOT NULL,
    wanted_name text,
    wanted_skeletons text[] NOT NULL,
    rules integer NOT NULL
);
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    queue text NOT NULL,
    subject text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    enqueued_at timestamp with time zone,
    done_at timestamp with time zone,
    dead_at timestamp with time zone,
    cause text,
    replayed_at timestamp with time zone,
    traceparent text
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000');
ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rejections (
    id bigint NOT NULL,
    client_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    endpoint text NOT NULL,
    error text NOT NULL,
    reason text NOT NULL,
    times integer NOT NULL,
    CONSTRAINT rejections_endpoint_check CHECK ((endpoint = ANY (ARRAY['authorize'::text, 'token'::text])))
);
ALTER TABLE public.rejections ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rejections_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.resource_servers (
    id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.review_digests (
    user_id text NOT NULL,
    outbox_id bigint NOT NULL,
    sent_at timestamp with time zone
);
CREATE TABLE public.review_news (
    client_id text NOT NULL,
    user_id text NOT NULL,
    event text NOT NULL,
    at timestamp with time zone NOT NULL,
    outbox_id bigint
);
CREATE TABLE public.review_reminders (
    client_id text NOT NULL,
    reminded_at timestamp with time zone NOT NULL
);
CREATE TABLE public.server_keys (
    id text NOT NULL,
    purpose text NOT NULL,
    algorithm text NOT NULL,
    public_jwk jsonb,
    encrypted_key text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    active_from timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT server_keys_purpose_check CHECK ((purpose = ANY (ARRAY['access-token'::text, 'access-token-mac'::text, 'refresh-token'::text])))
);
CREATE TABLE public.sessions (
    digest bytea NOT NULL,
    user_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    notices jsonb,
    authenticated_at timestamp with time zone,
    user_agent text,
    address text,
    issuer text,
    subject text,
    sid text,
    of_browser boolean DEFAULT false NOT NULL,
    way text
)
WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.setup_links (
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sign_in_failures (
    subject text NOT NULL,
    count integer NOT NULL,
    window_ends_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.slotkey_migrations (
    migration_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL,
    compatible_from integer
);
CREATE TABLE public.spent_answers (
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE public.accounts
    ADD CONSTRAINT accounts_role_check CHECK ((role = ANY (ARRAY['user'::text, 'reviewer'::text, 'admin'::text]))) NOT VALID;
ALTER TABLE public.accounts
    ADD CONSTRAINT accounts_role_here_check CHECK ((role_here = ANY (ARRAY['user'::text, 'reviewer'::text, 'admin'::text]))) NOT VALID;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.authorization_requests
    ADD CONSTRAINT authorization_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.client_changes
    ADD CONSTRAINT client_changes_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.client_secrets
    ADD CONSTRAINT client_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.codes
    ADD CONSTRAINT codes_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.continuations
    ADD CONSTRAINT continuations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (outbox_id, recipient);
ALTER TABLE ONLY public.end_warnings
    ADD CONSTRAINT end_warnings_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.imported_refresh_tokens
    ADD CONSTRAINT imported_refresh_tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.legacy_authorizations
    ADD CONSTRAINT legacy_authorizations_pkey PRIMARY KEY (client_id, day, scope);
ALTER TABLE ONLY public.legacy_refusals
    ADD CONSTRAINT legacy_refusals_pkey PRIMARY KEY (client_id, migrated_at);
ALTER TABLE ONLY public.logos
    ADD CONSTRAINT logos_pkey PRIMARY KEY (digest, client_id);
ALTER TABLE ONLY public.mailed_link_tokens
    ADD CONSTRAINT mailed_link_tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.mailed_links
    ADD CONSTRAINT mailed_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.migration_audits
    ADD CONSTRAINT migration_audits_client_id_job_key UNIQUE (client_id, job);
ALTER TABLE ONLY public.migration_audits
    ADD CONSTRAINT migration_audits_pkey PRIMARY KEY (id);
ALTER TABLE public.migration_audits
    ADD CONSTRAINT migration_audits_verdict_check CHECK ((verdict = ANY (ARRAY['not-started'::text, 'url-without-scope'::text, 'unknown-words'::text, 'too-early'::text, 'safe-to-save'::text, 'migrated'::text]))) NOT VALID;
ALTER TABLE ONLY public.migration_mails
    ADD CONSTRAINT migration_mails_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.migration_standings
    ADD CONSTRAINT migration_standings_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.name_skeletons
    ADD CONSTRAINT name_skeletons_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rejections
    ADD CONSTRAINT rejections_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.resource_servers
    ADD CONSTRAINT resource_servers_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.resource_servers
    ADD CONSTRAINT resource_servers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.review_digests
    ADD CONSTRAINT review_digests_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.review_news
    ADD CONSTRAINT review_news_pkey PRIMARY KEY (client_id, user_id);
ALTER TABLE ONLY public.review_reminders
    ADD CONSTRAINT review_reminders_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.setup_links
    ADD CONSTRAINT setup_links_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.slotkey_migrations
    ADD CONSTRAINT slotkey_migrations_pkey PRIMARY KEY (migration_id);
ALTER TABLE ONLY public.spent_answers
    ADD CONSTRAINT spent_answers_pkey PRIMARY KEY (digest);
CREATE UNIQUE INDEX accounts_email ON public.accounts USING btree (lower(email)) WHERE (NOT linked);
CREATE UNIQUE INDEX accounts_username ON public.accounts USING btree (lower(username));
CREATE INDEX api_keys_expires_at ON public.api_keys USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX api_keys_revoked ON public.api_keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);
CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id);
CREATE INDEX audit_log_at ON public.audit_log USING btree (at);
CREATE INDEX audit_log_client ON public.audit_log USING btree (client_id, action, id);
CREATE INDEX audit_log_user ON public.audit_log USING btree (user_id, id);
CREATE INDEX authorization_requests_expiry ON public.authorization_requests USING btree (expires_at);
CREATE INDEX authorization_requests_session ON public.authorization_requests USING btree (session_digest, expires_at);
CREATE INDEX client_secrets_client ON public.client_secrets USING btree (client_id);
CREATE INDEX clients_logo_missing ON public.clients USING btree (id) WHERE ((logo_url IS NOT NULL) AND (logo_digest IS NULL));
CREATE INDEX clients_owner ON public.clients USING btree (owner_id);
CREATE INDEX clients_queue ON public.clients USING btree (status, submitted_at);
CREATE INDEX codes_expiry ON public.codes USING btree (expires_at);
CREATE INDEX continuations_expiry ON public.continuations USING btree (expires_at);
CREATE INDEX continuations_user ON public.continuations USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX grants_client ON public.grants USING btree (client_id);
CREATE INDEX grants_expiry ON public.grants USING btree (expires_at);
CREATE INDEX grants_user ON public.grants USING btree (user_id, client_id);
CREATE INDEX identities_account ON public.identities USING btree (account_id);
CREATE INDEX imported_refresh_tokens_client ON public.imported_refresh_tokens USING btree (client_id);
CREATE INDEX legacy_authorizations_day ON public.legacy_authorizations USING btree (day);
CREATE UNIQUE INDEX logo_failures_address ON public.logo_failures USING btree (client_id, md5(logo_url));
CREATE INDEX logos_client ON public.logos USING btree (client_id);
CREATE INDEX mailed_link_tokens_link ON public.mailed_link_tokens USING btree (link_id);
CREATE INDEX mailed_links_account ON public.mailed_links USING btree (account_id);
CREATE INDEX mailed_links_expiry ON public.mailed_links USING btree (expires_at);
CREATE UNIQUE INDEX mailed_links_invitation ON public.mailed_links USING btree (lower(email)) WHERE (purpose = 'invitation'::text);
CREATE INDEX migration_audits_client ON public.migration_audits USING btree (client_id, id);
CREATE INDEX name_skeletons_skeletons ON public.name_skeletons USING gin (skeletons) WITH (fastupdate=off);
CREATE INDEX name_skeletons_wanted ON public.name_skeletons USING gin (wanted_skeletons) WITH (fastupdate=off);
CREATE INDEX outbox_dead ON public.outbox USING btree (id) WHERE (dead_at IS NOT NULL);
CREATE INDEX outbox_done ON public.outbox USING btree (done_at);
CREATE INDEX outbox_enqueued ON public.outbox USING btree (enqueued_at) WHERE ((enqueued_at IS NOT NULL) AND (done_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX outbox_open ON public.outbox USING btree (queue, subject, id) WHERE ((done_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX outbox_waiting ON public.outbox USING btree (id) WHERE ((enqueued_at IS NULL) AND (done_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX rejections_at ON public.rejections USING btree (at);
CREATE INDEX rejections_client ON public.rejections USING btree (client_id, id);
CREATE INDEX review_news_outbox ON public.review_news USING btree (outbox_id) WHERE (outbox_id IS NOT NULL);
CREATE INDEX review_news_user ON public.review_news USING btree (user_id);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_identity ON public.sessions USING btree (issuer, subject) WHERE (issuer IS NOT NULL);
CREATE INDEX sessions_sid ON public.sessions USING btree (sid, issuer) WHERE (sid IS NOT NULL);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_failures_expiry ON public.sign_in_failures USING btree (window_ends_at);
CREATE INDEX spent_answers_expiry ON public.spent_answers USING btree (expires_at);
ALTER TABLE ONLY public.authorization_requests
    ADD CONSTRAINT authorization_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorization_requests
    ADD CONSTRAINT authorization_requests_session_digest_fkey FOREIGN KEY (session_digest) REFERENCES public.sessions(digest) ON DELETE CASCADE;
ALTER TABLE ONLY public.client_changes
    ADD CONSTRAINT client_changes_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.client_secrets
    ADD CONSTRAINT client_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.codes
    ADD CONSTRAINT codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES public.outbox(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.end_warnings
    ADD CONSTRAINT end_warnings_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.imported_refresh_tokens
    ADD CONSTRAINT imported_refresh_tokens_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.legacy_authorizations
    ADD CONSTRAINT legacy_authorizations_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.legacy_refusals
    ADD CONSTRAINT legacy_refusals_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.logo_failures
    ADD CONSTRAINT logo_failures_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.logos
    ADD CONSTRAINT logos_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mailed_link_tokens
    ADD CONSTRAINT mailed_link_tokens_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.mailed_links(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mailed_links
    ADD CONSTRAINT mailed_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.migration_audits
    ADD CONSTRAINT migration_audits_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.migration_mails
    ADD CONSTRAINT migration_mails_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.migration_standings
    ADD CONSTRAINT migration_standings_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.name_skeletons
    ADD CONSTRAINT name_skeletons_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rejections
    ADD CONSTRAINT rejections_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_news
    ADD CONSTRAINT review_news_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_news
    ADD CONSTRAINT review_news_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES public.outbox(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.review_reminders
    ADD CONSTRAINT review_reminders_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;
