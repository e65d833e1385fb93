CREATE TABLE "ingest_partition" (
	"number" integer PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ingest_product" (
	"product_key" text PRIMARY KEY NOT NULL,
	"partition" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lease" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"fence" bigint NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
