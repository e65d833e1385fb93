CREATE TABLE "rights_revision" (
	"id" integer PRIMARY KEY NOT NULL,
	"value" integer NOT NULL
);
