<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type Link from Types
 * @phpstan-import-type LinkChange from Types
 * @phpstan-import-type LinkImage from Types
 * @phpstan-import-type NewLink from Types
 * @extends Records<NewLink, Link, Link, Link>
 */
final class Links extends Records
{
    protected const PATH = '/links';

    /**
     * @param LinkChange $change
     * @return Link
     */
    public function change(string $id, array $change): array
    {
        return $this->patch('/links/{}', [$id], $change);
    }

    /**
     * @param LinkImage $image
     * @return Link
     */
    public function setImage(string $id, array $image): array
    {
        return $this->post('/links/{}/image', [$id], $image, Transport::SAFE);
    }
}
